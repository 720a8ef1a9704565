"""A kind of network from outside the package: one matrix for the policy, one for the value."""

import torch
from pydantic import BaseModel
from torch import nn

from stratagem import NetworkOutput


class Settings(BaseModel):
    bias: bool = True


class LinearNetwork(nn.Module):
    def __init__(self, settings, observation, actions, num_values):
        super().__init__()
        self.policy = nn.Linear(observation.size, actions.size, settings.bias)
        self.value = nn.Linear(observation.size, num_values, settings.bias)

    def forward(self, observation):
        return NetworkOutput(self.policy(observation), torch.tanh(self.value(observation)))


def build(settings, observation, actions, num_values):
    return LinearNetwork(settings, observation, actions, num_values)
