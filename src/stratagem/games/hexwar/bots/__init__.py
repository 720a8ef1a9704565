"""Scripted players of hexwar."""
