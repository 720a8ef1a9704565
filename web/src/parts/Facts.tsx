// The facts that a scene brings along, and how an action would change them.
import type { JSX } from "preact";
import type { FactChange, Outcome, Preview } from "../wire";
import { percentText, saidText } from "../words";

export function Facts({ facts }: { facts: readonly (readonly string[])[] }): JSX.Element {
  if (facts.length === 0) return <p class="hint">Nothing more to know about this position.</p>;
  return (
    <dl class="facts">
      {facts.map(([name, value], index) => (
        <div key={`${name} ${index}`}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Changes({ changes }: { changes: readonly FactChange[] }): JSX.Element | null {
  if (changes.length === 0) return null;
  return (
    <table class="changes">
      <tbody>
        {changes.map((change) => (
          <tr key={change.name}>
            <th scope="row">{change.name}</th>
            <td>{change.before}</td>
            <td aria-label="becomes">→</td>
            <td>{change.after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Odds({ outcomes }: { outcomes: readonly Outcome[] }): JSX.Element | null {
  if (outcomes.length === 0) return null;
  return (
    <ul class="odds" aria-label="What the dice may bring">
      {outcomes.slice(0, 12).map((outcome) => (
        <li key={outcome.text}>
          <span>{outcome.text}</span> <b>{percentText(outcome.probability, 0)}</b>
        </li>
      ))}
    </ul>
  );
}

/** What an action would do: facts before and after, and what the dice would decide. */
export function PreviewBox({ preview }: { preview: Preview | null }): JSX.Element | null {
  if (!preview) return null;
  return (
    <div class="preview" aria-live="polite">
      <strong>{saidText(preview)}</strong>
      <Changes changes={preview.changes.slice(0, 8)} />
      <Odds outcomes={preview.position.outcomes} />
    </div>
  );
}
