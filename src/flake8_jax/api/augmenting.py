"""Libraries that augment images, one view or several of the same example."""

from __future__ import annotations

AUGMENTING = ("augmax.", "dm_pix.", "pix.")
"""How their names begin, as code imports them."""
