"""Kinds of tables: the section `[[<name>]]` of an experiment belongs to the module of that name.

What a module offers is described in `stratagem.experiments.measuring`.
"""
