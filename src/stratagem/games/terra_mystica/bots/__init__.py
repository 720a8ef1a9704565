"""Scripted players of Terra Mystica, and the evaluation of the strongest one."""
