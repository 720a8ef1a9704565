// A game being played or watched: the board, what one may do, who thinks, and what happened.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { api } from "../api";
import { Board } from "../board/Board";
import { motionBetween } from "../board/motion";
import type { OverlayData } from "../board/Overlay";
import { useChoosing } from "../board/select";
import { ActionList } from "../parts/ActionList";
import { DiceInfo } from "../parts/DiceInfo";
import { EndBox } from "../parts/EndBox";
import { EventLog } from "../parts/EventLog";
import { Facts, Odds, PreviewBox } from "../parts/Facts";
import { HintBox } from "../parts/HintBox";
import { InviteBox } from "../parts/InviteBox";
import { TourBox } from "../parts/TourBox";
import { Problem, Waiting } from "../parts/Notice";
import { Seats, ThinkingBar } from "../parts/Seats";
import { SessionBar } from "../parts/SessionBar";
import { Tabs } from "../parts/Tabs";
import { TrailBox } from "../parts/TrailBox";
import { TurnBox } from "../parts/TurnBox";
import { useKeys } from "../keys";
import { usePlayback } from "../playback";
import { usePreference } from "../preferences";
import { endText, ownSeat } from "../review";
import { go } from "../router";
import { useSession, type Session } from "../session";
import { asAction, isShortcut, stepsOf, useRoutes } from "../shortcuts";
import { capital, OVER, playerText, saidText, seatName } from "../words";
import type { Analysis, EventInfo, LegalAction, Preview, SessionState, Thinking } from "../wire";

const NO_CHOICE = "No choice here: played for you";
const NO_ACTIONS: readonly LegalAction[] = [];
const PREVIEW_DELAY = 160; // milliseconds of pointing before the server is asked

export function Play({ id }: { id: string }): JSX.Element {
  const session = useSession(id);
  if (!session.state) {
    return (
      <main class="lost">
        <Problem text={session.problem} />
        {!session.problem && <Waiting />}
      </main>
    );
  }
  return <PlaySession session={session} newest={session.state} />;
}

function PlaySession({ session, newest }: { session: Session; newest: SessionState }): JSX.Element {
  const [ownPace, setPace] = usePreference<number | null>("pace", null);
  const pace = ownPace ?? newest.pace_ms;
  const playback = usePlayback(newest, session.events, pace);
  const { state } = playback;
  const { id, position, possible } = state;
  const [confirm, setConfirm] = usePreference("confirm", true);
  const [sheet, setSheet] = useState("actions");
  const [hint, setHint] = useState<Analysis | null>(null);
  const [pointed, setPointed] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const legal = possible.act ? state.legal : NO_ACTIONS;

  const sent = useRef<number | null>(null); // a second click on the same position is no decision
  const act = async (action: LegalAction): Promise<void> => {
    point(null); // a preview that is still to be asked for would be one of a position that is gone
    const { ply } = position;
    if (sent.current === ply) return;
    sent.current = ply;
    setSending(true);
    setHint(null);
    const [first, ...then] = stepsOf(action);
    await session.send(() => api.act(id, first, ply, then));
    if (sent.current === ply) sent.current = null;
    setSending(sent.current !== null);
  };
  const asked = useRef<number | null>(null); // where the last confirmation was given
  const [piece, setPiece] = useState<string | null>(null);
  const further = useRoutes(id, position.ply, possible.routes ? piece : null);
  const decided = (action: LegalAction): void => {
    // A step that leaves the turn with the same player can be taken back: it needs no second click.
    const again = asked.current !== null && sameTurn(asked.current, position.ply, session.events, position.seat);
    if (!confirm || !action.ends_turn || again) void act(action);
  };
  const choosing = useChoosing(legal, position.ply, decided, further);
  const { selection, chosen } = choosing;
  const [first] = selection.trail;
  useEffect(() => setPiece(first ?? null), [first]);
  const [preview, point] = usePreview(id, position.ply);

  const confirmNow = (): void => {
    asked.current = position.ply;
    if (chosen) void act(chosen);
  };
  const back = (): void => {
    if (choosing.back()) return;
    const step = state.trail.filter((one) => !one.forced).pop();
    if (step && possible.take_back) void session.send(() => api.takeBack(id, step.ply));
  };
  const askHint = async (): Promise<void> => {
    const found = await session.ask(() => api.hint(id));
    if (found) setHint(found);
  };
  useEffect(() => setHint(null), [position.ply]);
  useKeys({
    Enter: confirmNow,
    Escape: back,
    Backspace: back,
    u: () => possible.take_back && void session.send(() => api.takeBack(id)),
    s: playback.skip,
    r: playback.replayTurn,
    h: () => possible.hint && void askHint(),
    "/": () => {
      // At once, so that a quick typist loses no letter; again when the sheet of a phone is open.
      const focus = (): void => document.getElementById("action-search")?.focus();
      focus();
      setSheet("actions");
      setTimeout(focus, 0);
    },
  });

  const motion = useMemo(
    () =>
      playback.before &&
      motionBetween(playback.before.scene, position.scene, position.event),
    [playback.before, position],
  );
  // Whoever watches, and whoever has finished, has nothing to choose: the log comes first.
  const decidesHere = !state.result && state.seats.some((seat) => seat.kind === "human");
  const best = hint?.moveInfos[0];
  const overlays: OverlayData[] = best
    ? [{ kind: "line", actions: [{ touches: best.touches, weight: 1 }], label: "!" }]
    : [];
  return (
    <main class="session play" data-ply={position.ply}>
      <div class="board-area">
        <Board
          scene={position.scene}
          targets={selection.next}
          aims={selection.aims}
          trail={chosen ? chosen.touches : selection.trail}
          last={position.event?.touches ?? []}
          motion={motion}
          overlays={overlays}
          onKey={choosing.clickKey}
          onHover={setPointed}
          own={ownSeat(state.seats)}
        />
        <PreviewBox preview={preview} />
        <Under keyName={pointed} state={state} legal={legal} />
      </div>
      <aside class="side">
        <SessionBar state={state} session={session} onHint={() => void askHint()} />
        <Problem text={session.problem} onDismiss={session.dismiss} />
        <Problem text={state.error ?? ""} />
        {!session.connected && <Problem text="Connection lost; trying again…" />}
        <Seats
          seats={state.seats}
          position={position}
          thinking={session.thinking}
          viewer={state.viewer}
        />
        <Headline state={state} />
        <InviteBox state={state} />
        <TourBox
          id={id}
          game={state.game}
          events={session.events}
          seats={state.seats}
          plies={newest.plies}
        />
        <TurnBox playback={playback} pace={pace} onPace={setPace} />
        {session.thinking && (
          <ThinkingBar
            thinking={session.thinking}
            onStop={canStop(session.thinking) ? () => void session.send(() => api.stop(id)) : undefined}
          />
        )}
        <EndBox session={session} state={state} />
        {possible.act && (
          <TrailBox
            scene={state.position.scene}
            steps={state.trail}
            selection={selection}
            chosen={chosen}
            confirm={confirm}
            sending={sending}
            canGoBack={possible.take_back && state.trail.length > 0}
            onConfirmMode={setConfirm}
            onConfirm={confirmNow}
            onBack={back}
            onChoose={choosing.choose}
            finish={state.finish && !chosen ? asAction(state.finish, "") : null}
          />
        )}
        {hint && (
          <HintBox
            hint={hint}
            onClose={() => setHint(null)}
            onPlay={(action) => {
              const found = legal.find((one) => one.action === action);
              if (found) choosing.choose(found);
            }}
          />
        )}
        <Tabs
          shown={sheet}
          onShow={setSheet}
          tabs={[
            ...(decidesHere
              ? [
                  {
                    name: "actions",
                    title: `Actions ${legal.length || ""}`,
                    content: () => (
                      <ActionList
                        actions={selection.trail.length ? selection.matching : legal}
                        total={legal.length}
                        ply={position.ply}
                        rest="Opponent's turn"
                        chosen={chosen?.action ?? null}
                        onChoose={choosing.choose}
                        onPoint={(action) => point(sending || isShortcut(action) ? null : action)}
                        onConfirm={confirmNow}
                      />
                    ),
                  },
                ]
              : []),
            {
              name: "log",
              title: "Log",
              content: () => (
                <EventLog
                  events={session.events}
                  seats={state.seats}
                  ply={position.ply}
                  onPly={(ply) => go({ screen: "replay", session: id, ply })}
                />
              ),
            },
            {
              name: "facts",
              title: "Facts",
              content: () => <Facts facts={position.scene.facts ?? []} />,
            },
            ...(state.dice.rolls > 0
              ? [{ name: "dice", title: "Dice", content: () => <DiceInfo dice={state.dice} /> }]
              : []),
          ]}
        />
      </aside>
    </main>
  );
}

/** A search for a move can be cut short as soon as it has begun. */
export function canStop(thinking: Thinking): boolean {
  return thinking.purpose === "move" && !thinking.queued;
}

/** Whether nobody else has had a turn since a ply; answers within one's own turn are none. */
export function sameTurn(since: number, ply: number, events: readonly EventInfo[], seat: number): boolean {
  if (ply <= since) return false; // taken back
  const between = events.slice(since, ply);
  return between.every((one) => one.seat === seat || one.seat < 0 || one.answer);
}

/** "Your turn: build", with the phase if the game has any. */
export function turnText(state: SessionState, people: number): string {
  const { seat, scene } = state.position;
  const phase = scene.facts?.find(([name]) => name === "phase")?.[1];
  const whose = people > 1 ? `Your turn, ${playerText(seat)}` : "Your turn";
  return phase ? `${whose}: ${phase}` : whose;
}

/** Who is to do what, or how it ended: one line that is always there. */
function Headline({ state }: { state: SessionState }): JSX.Element {
  const { position, result } = state;
  const people = state.seats.filter((seat) => seat.kind === "human").length;
  const decides = state.seats.find((seat) => seat.seat === position.seat);
  const remote = decides?.kind === "remote";
  const name = capital(seatName(position.seat, state.seats));
  let text = remote ? `Waiting for ${name}` : `${name} is thinking`;
  if (state.table?.free.includes(position.seat)) text = `Waiting for somebody to sit down as ${playerText(position.seat)}`;
  if (result) text = endText(state);
  else if (position.seat === OVER) text = "The game is over";
  else if (position.seat < 0) text = "Rolling";
  else if (state.possible.act) text = turnText(state, people);
  else if (state.status === "paused") text = "Paused";
  else if (decides?.kind === "human") text = NO_CHOICE;
  return (
    <p class={`headline${state.possible.act ? " yours" : ""}`} role="status" id="headline">
      {text}
    </p>
  );
}

/** What lies under the pointer, and what could be done there. */
function Under(props: { keyName: string | null; state: SessionState; legal: readonly LegalAction[] }) {
  const { keyName, state, legal } = props;
  const tip = useMemo(() => {
    const scenes = [state.position.scene, ...(state.position.scene.panels ?? [])];
    const shapes = scenes.flatMap((scene) => scene.shapes);
    return shapes.find((shape) => shape.key === keyName && shape.tip)?.tip ?? "";
  }, [keyName, state.position.scene]);
  const here = keyName ? legal.filter((action) => action.touches.includes(keyName)) : [];
  const last = state.position.event;
  return (
    <p class="under">
      {keyName ? (
        <>
          <b>{tip || keyName.replace(":", " ")}</b>{" "}
          <span class="here">
            {here.length > 3 && `${here.length} actions: `}
            {here.slice(0, 3).map(saidText).join(" · ")}
          </span>
        </>
      ) : (
        last && (
          <>
            Last: <b>{saidText(last)}</b>
          </>
        )
      )}
      <Odds outcomes={state.position.outcomes} />
    </p>
  );
}

/** The preview of the action that is pointed at, asked for after a short rest. */
function usePreview(id: string, ply: number): [Preview | null, (a: LegalAction | null) => void] {
  const [preview, setPreview] = useState<Preview | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const wanted = useRef<number | null>(null);
  useEffect(() => {
    setPreview(null);
    return () => clearTimeout(timer.current);
  }, [id, ply]);
  const point = (action: LegalAction | null): void => {
    clearTimeout(timer.current);
    wanted.current = action?.action ?? null;
    if (!action) {
      setPreview(null);
      return;
    }
    timer.current = setTimeout(() => {
      api.preview(id, action.action, ply).then(
        (found) => {
          if (wanted.current === action.action) setPreview(found);
        },
        () => setPreview(null), // the position has moved on: nothing to preview
      );
    }, PREVIEW_DELAY);
  };
  return [preview, point];
}
