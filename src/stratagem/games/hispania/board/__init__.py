"""The map, the nations, their units and the calendar, read from data files and checked."""
