"""The page and its files, and a description of the interface that loads nothing from elsewhere.

Files are looked up by name in a fixed list; no client text becomes a path.
"""

from __future__ import annotations

import hashlib
import html
from functools import lru_cache
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response

from stratagem.web.problems import NotFound

STATIC = Path(__file__).parent / "static"
PAGE = "index.html"

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
}
_NOT_BUILT = (
    "<!doctype html><title>Stratagem</title><p>The page is not built: run "
    "<code>npm --prefix web install && npm --prefix web run build</code>. "
    "The interface works: <a href='/docs'>/docs</a>."
)

router = APIRouter(include_in_schema=False)


@router.get("/docs")
async def docs(request: Request) -> Response:
    """Describe every route and message on one plain page."""
    return Response(describe(request.app), media_type="text/html; charset=utf-8")


@router.api_route("/api/{rest:path}", methods=["GET", "POST", "PUT", "PATCH", "DELETE"])
async def no_route(rest: str) -> Response:
    """Refuse unknown routes below /api, which must not return the page."""
    raise NotFound("no such route, or not with this method: see /docs")


@router.get("/{place:path}")
async def page(request: Request, place: str) -> Response:
    """Return a file of the page; any other address is a screen of it."""
    files = _files()
    wanted = place.removeprefix("static/")
    if wanted not in files and Path(place).suffix in _TYPES:
        return Response("no such file", 404)
    name = wanted if wanted in files else PAGE
    if name not in files:
        return Response(_NOT_BUILT, media_type=_TYPES[".html"])
    data, tag = _content(files[name], files[name].stat().st_mtime_ns)
    # Names never change, so browsers ask each time; usually the answer is that nothing changed.
    headers = {"etag": tag, "cache-control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(data, media_type=_TYPES[files[name].suffix], headers=headers)


def describe(app: FastAPI) -> str:
    """Describe the interface as an HTML page."""
    document = app.openapi()
    parts = [
        "<!doctype html><html lang='en'><meta charset='utf-8'>",
        "<meta name='viewport' content='width=device-width'><title>Stratagem: interface</title>",
        "<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;"
        "padding:0 1rem;color-scheme:light dark}code{font-size:.95em}dt{margin-top:.6rem}"
        "table{border-collapse:collapse}td,th{text-align:left;vertical-align:top;"
        "padding:.15rem .8rem .15rem 0}</style>",
        f"<h1>Stratagem {html.escape(document['info']['version'])}: interface</h1>",
        "<p>For programs: <a href='/openapi.json'>openapi.json</a>. Every refusal is JSON with one"
        " line <code>detail</code>. WebSockets: <code>/api/sessions/ID/live</code> sends"
        " SessionMessage, <code>/api/runs/NAME/live</code> sends RunMessage.</p><dl>",
    ]
    for path, methods in document["paths"].items():
        for method, about in methods.items():
            parts.append(_route(method, path, about))
    parts.append("</dl><h2>Messages</h2>")
    for name, schema in sorted(document["components"]["schemas"].items()):
        parts.append(_message(name, schema))
    return "".join(parts)


def _route(method: str, path: str, about: dict[str, Any]) -> str:
    asks = [f"{p['name']} ({p['in']})" for p in about.get("parameters", [])]
    body = about.get("requestBody", {}).get("content", {})
    asks += [_kind(content["schema"]) for content in body.values()]
    good = next(code for code in about["responses"] if code.startswith("2"))
    content = about["responses"][good].get("content", {})
    answers = [_kind(one["schema"]) for one in content.values() if "schema" in one]
    text = html.escape(about.get("description", about.get("summary", "")))
    return (
        f"<dt><code>{method.upper()} {html.escape(path)}</code></dt><dd>{text}<br>"
        f"asks: {', '.join(asks) or 'nothing'}; answers {good}: {', '.join(answers) or 'a file'}"
        "</dd>"
    )


def _message(name: str, schema: dict[str, Any]) -> str:
    text = html.escape(schema.get("description", ""))
    rows = "".join(
        f"<tr><td><code>{html.escape(key)}</code></td><td>{_kind(field)}</td>"
        f"<td>{html.escape(str(field.get('description', '')))}</td></tr>"
        for key, field in schema.get("properties", {}).items()
    )
    return f"<h3 id='{name}'>{name}</h3><p>{text}</p><table>{rows}</table>"


def _kind(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"<a href='#{name}'>{name}</a>"
    if "anyOf" in schema:
        return " or ".join(_kind(one) for one in schema["anyOf"])
    if schema.get("type") == "array" and "items" in schema:
        return f"list of {_kind(schema['items'])}"
    return html.escape(str(schema.get("type", schema.get("const", "anything"))))


def _files() -> dict[str, Path]:
    found = STATIC.rglob("*") if STATIC.is_dir() else ()
    return {
        file.relative_to(STATIC).as_posix(): file
        for file in found
        if file.is_file() and file.suffix in _TYPES
    }


@lru_cache(maxsize=64)
def _content(file: Path, changed: int) -> tuple[bytes, str]:
    data = file.read_bytes()
    return data, f'"{hashlib.sha256(data).hexdigest()[:16]}"'
