"""What a seat cannot see: the card of the other."""

from stratagem.core.compile import kernel
from stratagem.core.random_kernels import advance, below, start


@kernel
def hide(s, seat, seed):
    other = 1 - seat
    if s["card"][other] == 0:
        return
    pick = below(advance(start(seed)), s["ranks"] - (1 if s["card"][seat] > 0 else 0))
    for card in range(1, s["ranks"] + 1):
        if card != s["card"][seat]:
            if pick == 0:
                s["card"][other] = card
            pick -= 1
