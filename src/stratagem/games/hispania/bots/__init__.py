"""Scripted players of Hispania, and what a region is worth to them."""
