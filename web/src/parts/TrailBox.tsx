// The steps of a decision as a trail, with Back and Confirm.
import type { JSX } from "preact";
import { capital, keyText, saidText } from "../words";
import type { Selection } from "../board/select";
import type { EventInfo, LegalAction, Scene } from "../wire";

const SHOWN = 2; // of the steps already made: the list of actions needs the room

const earlierText = (count: number): string => (count === 1 ? "1 earlier step" : `${count} earlier steps`);

export interface TrailBoxProps {
  scene: Scene;
  steps: readonly EventInfo[];
  selection: Selection<LegalAction>;
  chosen: LegalAction | null;
  confirm: boolean;
  sending: boolean;
  canGoBack: boolean;
  onConfirmMode: (confirm: boolean) => void;
  onConfirm: () => void;
  onBack: () => void;
  onChoose: (action: LegalAction) => void;
  finish?: LegalAction | null; // what ends the phase
}

export function TrailBox(props: TrailBoxProps): JSX.Element {
  const { scene, steps, selection, chosen, confirm, sending, canGoBack } = props;
  const started = selection.trail.length > 0 || chosen !== null;
  const ambiguous = !chosen && selection.complete.length > 1;
  const options = ambiguous ? selection.complete : [];
  return (
    <div class="trail">
      <div class="chips" aria-label="Steps so far">
        {steps.length > SHOWN && <span class="muted">{earlierText(steps.length - SHOWN)}</span>}
        {steps.slice(-SHOWN).map((step) => (
          <span key={step.ply} class="chip done">
            {saidText(step)}
          </span>
        ))}
        {chosen && <span class="chip chosen">{saidText(chosen)}</span>}
        {!chosen && started && (
          <span class="chip">
            {capital(selection.trail.map((key) => keyText(scene, key)).join(" → "))} …
          </span>
        )}
        {!started && steps.length === 0 && (
          <span class="muted">Click a highlighted shape or choose from the list.</span>
        )}
        {!chosen && selection.aims.size > 0 && (
          <span class="muted">Dashed: go there. Red and dotted: shoot there.</span>
        )}
      </div>
      {options.length > 0 && (
        <div class="options" role="group" aria-label="Which of these">
          {options.map((action) => (
            <button key={action.action} type="button" onClick={() => props.onChoose(action)}>
              {saidText(action)}
            </button>
          ))}
        </div>
      )}
      <div class="row">
        <button type="button" onClick={props.onBack} disabled={!started && !canGoBack}>
          Back
        </button>
        <button
          type="button"
          class="primary"
          id="confirm"
          onClick={props.onConfirm}
          disabled={!chosen || sending}
        >
          Confirm
        </button>
        {props.finish && <Finish action={props.finish} onChoose={props.onChoose} />}
        <div class="push" />
        <label class="check" title="Only a move that ends your turn is asked for again; off: none">
          <input
            type="checkbox"
            checked={confirm}
            onChange={(event) => props.onConfirmMode(event.currentTarget.checked)}
          />
          Confirm each turn
        </label>
      </div>
    </div>
  );
}

function Finish({ action, onChoose }: { action: LegalAction; onChoose: (action: LegalAction) => void }) {
  return (
    <button type="button" id="finish" onClick={() => onChoose(action)} title={action.sentence}>
      End phase
    </button>
  );
}
