"""The page's types come from the schema that is committed: it has to be the present one."""

import json
import subprocess
import sys
from pathlib import Path

from stratagem.core.registry import load_game
from stratagem.core.scene import Scene, Shape
from stratagem.web import schema
from stratagem.web.schema.drawing import scene_json

ROOT = Path(__file__).resolve().parents[2]


def test_the_committed_schema_is_the_present_one():
    words = [sys.executable, str(ROOT / "scripts" / "web_schema.py"), "--check"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_message_is_described():
    described = json.loads((ROOT / "web" / "schema.json").read_text())["$defs"]
    models = [getattr(schema, name) for name in schema.__all__]
    for model in models:
        if isinstance(model, type) and model not in (schema.Answer, schema.Request):
            assert described[model.__name__]["description"]


def test_scenes_travel_as_they_write_themselves():
    panel = Scene(1.0, 1.0, (Shape("label", ((0.5, 0.5),), "text", "x", layer="marks"),))
    scenes = [
        Scene(2.0, 3.0, (), (("a", "b"),), "title", (panel, panel)),
        *(
            game.rules.view(game.new_state(1))
            for game in map(load_game, ("battlefield", "connect_four"))
        ),
    ]
    for scene in scenes:
        assert json.loads(json.dumps(scene_json(scene))) == json.loads(json.dumps(scene.as_json()))
