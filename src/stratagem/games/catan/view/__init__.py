"""Catan as a drawing."""
