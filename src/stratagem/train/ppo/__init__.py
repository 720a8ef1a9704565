"""Actor-critic by proximal policy optimisation on sequences of decisions, after a teacher."""
