// Every legal action as text: to search, to choose with the keyboard, and for what no shape shows.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { usePreference } from "../preferences";
import { groupText, saidText } from "../words";
import type { LegalAction } from "../wire";

const SHOWN = 300; // more than this is for searching, not for scrolling
const FEW = 4; // need no headings

export interface ActionListProps {
  actions: readonly LegalAction[];
  total: number;
  ply: number; // of the position that the actions belong to
  rest: string; // what stands there while there is nothing to decide
  chosen: number | null;
  onChoose: (action: LegalAction) => void;
  onPoint: (action: LegalAction | null) => void;
  onConfirm: () => void;
}

/** Actions in which every word of the query occurs; one whose code it is comes first. */
export function matching(actions: readonly LegalAction[], query: string): LegalAction[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = actions.filter((action) => {
    const text = `${action.text} ${action.sentence} ${action.group}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const code = words.join(" ");
  const exact = (action: LegalAction): boolean => action.text.toLowerCase() === code;
  return code ? [...found.filter(exact), ...found.filter((action) => !exact(action))] : found;
}

/** Actions of a group together, so that every heading stands once; groups in the order they come. */
export function byGroup(actions: readonly LegalAction[]): LegalAction[] {
  const groups = new Map<string, LegalAction[]>();
  for (const action of actions) {
    const known = groups.get(action.group);
    if (known) known.push(action);
    else groups.set(action.group, [action]);
  }
  return [...groups.values()].flat();
}

export function ActionList(props: ActionListProps): JSX.Element {
  const { actions, total, ply, rest, chosen, onChoose, onPoint, onConfirm } = props;
  const [query, setQuery] = useState("");
  const [codes, setCodes] = usePreference("codes", false);
  const list = useRef<HTMLDivElement>(null);
  const found = useMemo(() => (query.trim() ? matching(actions, query) : byGroup(actions)), [actions, query]);
  const shown = found.slice(0, SHOWN);
  useEffect(() => setQuery(""), [ply]); // what was searched for has been decided

  const buttons = (): HTMLButtonElement[] => [
    ...(list.current?.querySelectorAll<HTMLButtonElement>("button[data-action]") ?? []),
  ];
  const walk = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const first = shown[0];
    if (event.key === "Enter" && event.target instanceof HTMLInputElement) {
      event.preventDefault();
      event.stopPropagation();
      if (first && first.action === chosen) onConfirm();
      else if (first) onChoose(first);
    }
    if (event.key === "/" && query === "" && event.target instanceof HTMLInputElement) {
      event.preventDefault(); // the key that leads here; one is here already
    }
    const pressed = event.target instanceof HTMLButtonElement && event.target.ariaPressed === "true";
    if (event.key === "Enter" && pressed) {
      event.preventDefault(); // Enter chooses, and Enter again confirms
      event.stopPropagation();
      onConfirm();
    }
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const all = buttons();
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    const next = all[Math.max(0, Math.min(all.length - 1, at + step))];
    next?.focus();
  };
  const headed = actions.length > FEW && new Set(actions.map((action) => action.group)).size > 1;
  let group = "";
  return (
    <div class="actions" onKeyDown={walk} ref={list}>
      <div class="search">
        <input
          type="search"
          id="action-search"
          placeholder="Search actions ( / )"
          aria-label="Search the legal actions"
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
        <span class="count">
          {found.length === total ? total : `${found.length} of ${total}`}
        </span>
        <button
          type="button"
          class="codes"
          aria-pressed={codes}
          onClick={() => setCodes(!codes)}
          title="Show the code of each action, as the terminal and records have it"
        >
          Codes
        </button>
      </div>
      <div class="list" role="group" aria-label="Legal actions">
        {shown.map((action) => {
          const heading = headed && action.group !== group ? groupText(action.group) : "";
          group = action.group;
          return (
            <>
              {heading && <h4 key={`group ${heading}`}>{heading}</h4>}
              <button
                key={action.action}
                type="button"
                data-action={action.action}
                data-code={action.text}
                aria-pressed={action.action === chosen}
                onClick={() => onChoose(action)}
                onDblClick={onConfirm}
                onMouseEnter={() => onPoint(action)}
                onFocus={() => onPoint(action)}
                onMouseLeave={() => onPoint(null)}
              >
                <span class="said">{saidText(action)}</span>
                {codes && action.sentence && <code>{action.text}</code>}
              </button>
            </>
          );
        })}
        {found.length > SHOWN && <p class="hint">and {found.length - SHOWN} more; search to find them</p>}
        {found.length === 0 && total > 0 && <p class="hint">No legal action matches.</p>}
        {total === 0 && <p class="hint">{rest}</p>}
      </div>
    </div>
  );
}
