"""Kinds of tables: the section `[[<name>]]` of an experiment belongs to the module of that name.

`stratagem.experiments.measuring` describes what a module offers.
"""
