"""Scripted players of Catan, and their evaluations."""
