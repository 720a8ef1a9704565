"""Tiny networks run fastest on one thread, above all while other tests use the other cores."""

import torch

torch.set_num_threads(1)
