"""The HTTP and WebSocket routes: reading requests and writing answers, nothing else."""
