"""Pictures: charts of results, positions and games as scenes, and the palette they share."""
