"""The command line: parsing and printing only. A command is a module here with a `command`."""
