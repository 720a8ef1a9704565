"""What a network sees of Terra Mystica: the encodings `compact`, `exact` and `paper`."""
