"""The rules of Hispania: what is legal, and what each decision and each die does."""
