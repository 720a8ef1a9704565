// What happened so far, newest at the bottom; clicking a line goes to the position before it.
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { saidText, seatName } from "../words";
import type { EventInfo, SeatInfo } from "../wire";

const SHOWN = 400; // lines around the current one

export interface EventLogProps {
  events: readonly EventInfo[];
  seats: readonly SeatInfo[];
  ply: number;
  marks?: ReadonlyMap<number, string>;
  onPly: (ply: number) => void;
}

export function EventLog({ events, seats, ply, marks, onPly }: EventLogProps): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const box = list.current;
    const line = box?.querySelector<HTMLElement>("[aria-current]");
    if (box && line) box.scrollTop = line.offsetTop - box.clientHeight / 2;
  }, [ply, events.length]);
  const first = Math.max(0, Math.min(ply - SHOWN / 2, events.length - SHOWN));
  const shown = events.slice(first, first + SHOWN);
  if (events.length === 0) return <p class="hint">Nothing has happened yet.</p>;
  return (
    <ol class="log" ref={list} start={first}>
      {first > 0 && <li class="hint">… {first} earlier events</li>}
      {shown.map((event) => (
        <li key={event.ply} aria-current={event.ply + 1 === ply ? "step" : undefined}>
          <button type="button" onClick={() => onPly(event.ply + 1)}>
            <span class="ply">{event.ply + 1}</span>
            <span class={`who seat-${event.seat}`} title={seatName(event.seat, seats)}>
              {event.seat >= 0 ? event.seat + 1 : "⚄"}
            </span>
            <span class="what" title={event.text}>
              {saidText(event)}
            </span>
            {marks?.get(event.ply) && <b class="verdict">{marks.get(event.ply)}</b>}
          </button>
        </li>
      ))}
    </ol>
  );
}
