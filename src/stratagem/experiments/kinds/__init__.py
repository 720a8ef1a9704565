"""Kinds of experiments: a file that says `kind = "<name>"` belongs to the module of that name.

A kind offers `read(name, values)`, which checks what the file says, and
`run(definition, call)`, which trains, measures and gives the result as data.
"""
