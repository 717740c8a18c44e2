"""From files to reports: projects, processes and scheduling, selection, and the front ends."""
