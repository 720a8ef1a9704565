"""Proof for the rules of Terra Mystica: recorded games, replayed from their ledgers.

A ledger is a game in the language of terra.snellman.net: one row of commands for each move.
"""
