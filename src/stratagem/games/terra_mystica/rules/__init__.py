"""The rules of Terra Mystica by chapter: each module is a set of kernels over one position."""
