// The game inside a page that `stratagem replay --html` wrote: compressed, every shape once.
import type { Replay, ReplayScene, Scene, Shape } from "./wire";

const ELEMENT = "stratagem-replay";

/** A scene with its shapes in place of their numbers. Equal shapes are the same object. */
export function sceneOf(scene: ReplayScene, shapes: readonly Shape[]): Scene {
  return {
    ...scene,
    shapes: scene.shapes.map((place) => shapes[place] as Shape),
    panels: scene.panels.map((panel) => sceneOf(panel, shapes)),
  };
}

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64.replaceAll(/\s/g, ""));
  const bytes = new Uint8Array(text.length);
  for (let place = 0; place < text.length; place += 1) bytes[place] = text.charCodeAt(place);
  return bytes;
}

export async function unpack(base64: string): Promise<Replay> {
  const stream = new Blob([bytesOf(base64)])
    .stream()
    .pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(stream).json()) as Replay;
}

/** The packed game of this page, if it carries one. */
export function packedReplay(): string | null {
  return document.getElementById(ELEMENT)?.textContent ?? null;
}
