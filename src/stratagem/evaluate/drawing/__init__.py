"""Pictures: charts of results, drawings of positions and games, and the palette they share."""
