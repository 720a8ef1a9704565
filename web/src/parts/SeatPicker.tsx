// Who takes a seat: a person or an opponent, with what was measured of it and how hard it thinks.
import type { JSX } from "preact";
import { seatColour } from "../palette";
import { aboutText } from "../opponents";
import { countText, withSims } from "../words";
import type { OpponentInfo } from "../wire";

export const HUMAN = "human";
export const INVITED = "invited"; // a person on another device, who gets a link

export interface SeatChoice {
  agent: string; // HUMAN or an opponent's spec as listed
  sims: number | null; // null: the agent's own
}

export const STEPS = [1, 4, 8, 16, 32, 64, 100, 200, 400, 800, 1600, 3200, 6400, 12800];

/** What is sent to the server. */
export function specOf(choice: SeatChoice, opponents: readonly OpponentInfo[]): string {
  if (choice.agent === INVITED) return HUMAN;
  if (choice.agent === HUMAN || choice.sims === null) return choice.agent;
  const opponent = opponents.find((one) => one.spec === choice.agent);
  if (!opponent?.searches || choice.sims === opponent.sims) return choice.agent;
  return withSims(choice.agent, choice.sims);
}

export function nearestStep(sims: number, largest: number): number {
  const steps = STEPS.filter((step) => step <= largest);
  const distance = (step: number): number => Math.abs(Math.log(step) - Math.log(sims));
  return steps.reduce((best, step) => (distance(step) < distance(best) ? step : best), 1);
}

export interface SeatPickerProps {
  seat: number;
  seats: number;
  brief: boolean; // the same player sits at an earlier seat, where it is described
  choice: SeatChoice;
  opponents: readonly OpponentInfo[];
  mostSims: number;
  onChange: (choice: SeatChoice) => void;
}

export function SeatPicker(props: SeatPickerProps): JSX.Element {
  const { seat, seats, brief, choice, opponents, mostSims, onChange } = props;
  const opponent = opponents.find((one) => one.spec === choice.agent);
  const steps = STEPS.filter((step) => step <= mostSims);
  const sims = choice.sims ?? opponent?.sims ?? null;
  return (
    <fieldset class="seat-picker" style={{ "--seat": seatColour(seat) }}>
      <legend>
        <i class="seat-dot" /> Player {seat + 1}
      </legend>
      <select
        aria-label={`Who is player ${seat + 1}`}
        value={choice.agent}
        onChange={(event) => onChange({ agent: event.currentTarget.value, sims: null })}
      >
        <option value={HUMAN}>You</option>
        <option value={INVITED}>A friend, by link</option>
        {opponents.map((one) => (
          <option key={one.spec} value={one.spec}>
            {one.title}
          </option>
        ))}
      </select>
      {opponent?.searches && sims !== null && (
        <label class="strength">
          <span>Strength: {countText(sims)} simulations a move</span>
          <input
            type="range"
            min={0}
            max={steps.length - 1}
            step={1}
            value={steps.indexOf(nearestStep(sims, mostSims))}
            aria-label={`Simulations of player ${seat + 1}`}
            onInput={(event) =>
              onChange({ ...choice, sims: steps[Number(event.currentTarget.value)] ?? sims })
            }
          />
        </label>
      )}
      {opponent && (
        <p class="hint">
          {brief ? opponent.style : aboutText(opponent, sims, seats)}
        </p>
      )}
    </fieldset>
  );
}
