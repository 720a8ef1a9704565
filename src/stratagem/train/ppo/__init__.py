"""Actor-critic by proximal policy optimisation on whole runs of decisions, after a teacher."""
