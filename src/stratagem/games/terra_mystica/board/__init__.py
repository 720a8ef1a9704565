"""The map, the factions and the tiles of Terra Mystica."""
