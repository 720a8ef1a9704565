"""Encodings of Terra Mystica: `compact`, `exact` and `paper`."""
