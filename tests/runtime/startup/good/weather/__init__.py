"""Weather, forecast on several devices."""
