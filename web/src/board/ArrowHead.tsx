// The head of the overlays' arrows, defined once in the page.
import type { JSX } from "preact";

export function ArrowHead(): JSX.Element {
  return (
    <svg class="definitions" width="0" height="0" aria-hidden="true">
      <defs>
        <marker
          id="arrow-head"
          viewBox="0 0 10 10"
          refX="7"
          refY="5"
          markerWidth="3.2"
          markerHeight="3.2"
          orient="auto-start-reverse"
        >
          <path d="M0,0L10,5L0,10L3,5Z" fill="context-stroke" />
        </marker>
      </defs>
    </svg>
  );
}
