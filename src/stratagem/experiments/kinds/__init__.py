"""Kinds of experiments: a file with `kind = "<name>"` belongs to the module of that name.

A kind offers `read(name, values)`, which checks the contents of the file, and
`run(definition, call)`, which trains, measures and returns the result as data.
"""
