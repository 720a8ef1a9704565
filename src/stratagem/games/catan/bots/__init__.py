"""Scripted players of Catan, and the evaluations they play by."""
