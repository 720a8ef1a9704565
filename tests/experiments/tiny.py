"""Settings of runs that take a second, as they stand in an experiment's file."""

SETTINGS = """
network = { kind = "cnn", settings = { filters = 4, blocks = 1 } }
search = { sims = 2 }
selfplay = { slots = 8, workers = 1, positions = 64 }
replay = { minimum = 32 }
learning = { batch_size = 16, replay_ratio = 1.0, threads = 1 }
anchors = { times = 0 }
"""
