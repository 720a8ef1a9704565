// Where the dice come from and how they fell: seed and histogram, so that nobody has to trust them.
import type { JSX } from "preact";
import type { Dice } from "../wire";

export function DiceInfo({ dice }: { dice: Dice }): JSX.Element {
  const most = Math.max(1, ...dice.histogram.flatMap((one) => [one.count, one.expected]));
  return (
    <div class="dice">
      {dice.seed === null ? (
        <p>
          The dice come from a seed that was fixed before the first move and is shown at the end. Its
          seal <code>{dice.seal}</code> proves that it was not changed.
        </p>
      ) : (
        <p>
          Seed <code>{dice.seed}</code>: everything random in this game follows from it, so the same moves give the
          same game. Its seal is <code>{dice.seal}</code>.
        </p>
      )}
      {dice.histogram.length === 0 ? (
        <p class="hint">{dice.rolls === 0 ? "No dice have been rolled." : `${dice.rolls} rolls`}</p>
      ) : (
        <table class="histogram">
          <caption>
            {dice.rolls} rolls; the line marks how many were to be expected
          </caption>
          <tbody>
            {dice.histogram.map((one) => (
              <tr key={one.text}>
                <th scope="row">{one.text}</th>
                <td class="bar">
                  <span style={{ width: `${(100 * one.count) / most}%` }} />
                  <i style={{ left: `${(100 * one.expected) / most}%` }} />
                </td>
                <td class="number">{one.count}</td>
                <td class="number muted">{one.expected.toFixed(1)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
