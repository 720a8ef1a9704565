"""The command line: parsing and printing only. Commands are modules of `commands`."""
