"""The parts that kinds of networks are made of."""
