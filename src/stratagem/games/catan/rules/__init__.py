"""The rules of Catan: what is legal, and what each action and chance outcome does."""
