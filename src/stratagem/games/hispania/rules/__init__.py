"""The rules of Hispania: what is legal, and the effects of each decision and die."""
