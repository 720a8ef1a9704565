"""The parts that network kinds are made of."""
