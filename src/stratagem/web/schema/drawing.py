"""Scenes on the wire: only what differs from a shape's defaults, everything else in full."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, TypeAdapter
from pydantic_core import core_schema

from stratagem.core.scene import Scene

_SCENES = TypeAdapter(Scene)


def scene_json(scene: Scene) -> dict[str, Any]:
    """Return the same as `scene.as_json()`, but ten times as fast by pydantic's serializer."""
    given: dict[str, Any] = _SCENES.dump_python(scene, mode="json", exclude_defaults=True)
    return _completed(given)


def _completed(scene: dict[str, Any]) -> dict[str, Any]:
    panels = [_completed(panel) for panel in scene.get("panels", ())]
    return {"facts": [], "title": "", **scene, "panels": panels}


class _Compact:
    """Tells pydantic to write a scene by `scene_json`, and how to describe it."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.no_info_wrap_validator_function(
            lambda value, inner: value if isinstance(value, Scene) else inner(value),
            handler(source),
            serialization=core_schema.plain_serializer_function_ser_schema(scene_json),
        )

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        inner: dict[str, Any] = handler(schema["schema"])
        return inner


DrawnScene = Annotated[Scene, _Compact()]
