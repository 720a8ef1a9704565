"""What is on the table before anybody moves: the map, the factions and the tiles."""
