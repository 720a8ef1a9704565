"""The map, the nations, their units and the calendar: the data files, read and checked."""
