"""Measures of one game: points, regions by round, and how closely it followed history."""
