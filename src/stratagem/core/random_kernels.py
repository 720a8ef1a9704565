"""Random numbers inside kernels: one 64-bit word of state, passed in and returned.

xorshift64: no multiplication, so it runs the same compiled and interpreted, without overflow.
Streams must start from a well-mixed word; `seeding.derive_seeds` makes those.
"""

import numpy as np

from stratagem.core.compile import kernel

_S7 = np.uint64(7)
_S11 = np.uint64(11)
_S13 = np.uint64(13)
_S17 = np.uint64(17)
_S32 = np.uint64(32)
_ZERO = np.uint64(0)
_START = np.uint64(0x9E3779B97F4A7C15)
_TO_UNIT = 1.0 / 9007199254740992.0  # 2**-53


@kernel
def start(seed):
    """Return a usable stream state (zero would stay zero forever)."""
    word = np.uint64(seed)
    if word == _ZERO:
        word = _START
    return advance(advance(word))


@kernel
def advance(word):
    """Return the next state of the stream."""
    word = word ^ (word << _S13)
    word = word ^ (word >> _S7)
    return word ^ (word << _S17)


@kernel
def below(word, bound):
    """Return an integer in [0, bound) from this state."""
    return np.int64(((word >> _S32) * np.uint64(bound)) >> _S32)


@kernel
def unit(word):
    """Return a float in [0, 1) from this state."""
    return np.float64(word >> _S11) * _TO_UNIT


@kernel
def gamma(word, shape):
    """Return (state, sample) of a Gamma(shape, 1) variable, by Marsaglia and Tsang's method."""
    boost = 1.0
    if shape < 1.0:
        word = advance(word)
        boost = (unit(word) + 1e-300) ** (1.0 / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / np.sqrt(9.0 * d)
    while True:
        word = advance(word)
        radius = np.sqrt(-2.0 * np.log(unit(word) + 1e-300))
        word = advance(word)
        normal = radius * np.cos(6.283185307179586 * unit(word))
        cube = 1.0 + c * normal
        if cube <= 0.0:
            continue
        cube = cube * cube * cube
        word = advance(word)
        if np.log(unit(word) + 1e-300) < 0.5 * normal * normal + d - d * cube + d * np.log(cube):
            return word, boost * d * cube


@kernel
def spread(seeds, copies, out):
    """Fill out [B * copies] with `copies` stream states in a row for each seed."""
    for i in range(len(seeds)):
        word = start(seeds[i])
        for k in range(copies):
            word = advance(word)
            out[i * copies + k] = word


@kernel
def units(seeds, out):
    """Fill out [B] float64 with one number in [0, 1) per seed."""
    for i in range(len(seeds)):
        out[i] = unit(advance(start(seeds[i])))
