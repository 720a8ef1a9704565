"""What a network sees of Catan: the encodings `exact`, `thesis` and `graph`."""
