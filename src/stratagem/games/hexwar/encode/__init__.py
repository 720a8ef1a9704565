"""What a network sees of hexwar (planes, or tiles and pieces), and its actions as tokens."""
