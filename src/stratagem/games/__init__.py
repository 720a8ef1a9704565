"""The games. Each folder is one game; nothing here imports or lists them."""
