"""Runs trained networks fast: frozen copies, fused layers, decisions step by step."""

from stratagem.nets.inference.network import InferenceNetwork
from stratagem.nets.inference.runner import Array, Precision, choose_precision

__all__ = ["Array", "InferenceNetwork", "Precision", "choose_precision"]
