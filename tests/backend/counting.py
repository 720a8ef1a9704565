"""Workers and functions that other processes can import."""

import os
import signal
import time
from pathlib import Path

import numpy as np


class Counter:
    """Keeps a sum; can be restored."""

    def __init__(self, start):
        self.value = start

    def add(self, number):
        self.value += number
        return self.value

    def add_slowly(self, number, seconds):
        self.value += number
        time.sleep(seconds)
        return self.value

    def add_once_killed(self, number, folder):
        """Like `add`, but the first process that tries dies in the middle."""
        self.value += number
        die_once(folder, self.value)
        return self.value

    def fail(self, text):
        raise ValueError(text)

    def process(self):
        return os.getpid()

    def export(self):
        return {"value": np.array([self.value])}

    def restore(self, arrays):
        self.value = int(arrays["value"][0])


class Holder:
    """Large arrays in and out."""

    def __init__(self, spec):
        pass

    def double(self, array):
        array *= 2  # an array of its own
        return {"doubled": array, "sum": float(array.sum())}


class Refusing:
    def __init__(self, spec):
        raise ValueError(f"refused {spec}")


class Odd(Exception):
    """Cannot be made from its own message."""

    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")


def square(number):
    return number * number


def slow_square(number):
    time.sleep(0.2 if number == 1 else 0)
    return number * number


def fail_at_two(number):
    if number == 2:
        raise ValueError("two")
    return number


def raise_odd(number):
    raise Odd(number, "more")


def square_once_killed(task):
    number, folder = task
    die_once(folder, number)
    return number * number


def always_die(number):
    os.kill(os.getpid(), signal.SIGKILL)


def die_once(folder, name):
    mark = Path(folder) / str(name)
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
