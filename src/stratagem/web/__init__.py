"""The web app: play, watch, analyse and follow training in the browser."""
