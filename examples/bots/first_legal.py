"""The smallest external player: it answers every question with the first legal action.

stratagem match connect_four "external:python examples/bots/first_legal.py" random --games 20
"""

import json
import sys

for line in sys.stdin:
    question = json.loads(line)
    answer = {"id": question["id"], "action": question["legal"][0]["action"]}
    print(json.dumps(answer), flush=True)
