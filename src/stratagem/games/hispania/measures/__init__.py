"""Measures of one game: points, regions by round, and how far it followed history."""
