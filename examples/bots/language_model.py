"""An external player that asks a language model through any address that speaks OpenAI's protocol.

export MODEL_URL=http://localhost:8080/v1 MODEL_NAME=some-model MODEL_KEY=...
stratagem match connect_four "external:python examples/bots/language_model.py?timeout=60" random

A reply that names no legal move is passed on as it is, so the model loses that game by rule.
"""

import json
import os
import sys
import urllib.request

INSTRUCTIONS = "You play a board game. Reply with one of the legal moves and nothing else."


def reply_to(question: dict) -> str:
    """What the model says to one position."""
    moves = "\n".join(choice["move"] for choice in question["legal"])
    position = f"{question['game']}, you are player {question['seat'] + 1}\n{question['board']}"
    body = {
        "model": os.environ["MODEL_NAME"],
        "messages": [
            {"role": "system", "content": INSTRUCTIONS},
            {"role": "user", "content": f"{position}\nLegal moves:\n{moves}"},
        ],
    }
    request = urllib.request.Request(
        os.environ["MODEL_URL"].rstrip("/") + "/chat/completions",
        json.dumps(body).encode(),
        {
            "Content-Type": "application/json",
            "Authorization": f"Bearer {os.environ.get('MODEL_KEY', '')}",
        },
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)["choices"][0]["message"]["content"].strip()


for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"id": asked["id"], "move": reply_to(asked)}), flush=True)
