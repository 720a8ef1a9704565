"""Terra Mystica as a drawing."""
