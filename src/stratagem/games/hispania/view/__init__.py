"""Hispania as a drawing."""
