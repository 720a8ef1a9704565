// What an invited person sees first: which game it is, who sits there, and the seat to take.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { api } from "../api";
import { Link } from "../parts/Link";
import { Problem, Waiting } from "../parts/Notice";
import { Seats } from "../parts/Seats";
import { usePreference } from "../preferences";
import { go } from "../router";
import type { SessionState } from "../wire";

export function Join({ id, invitation }: { id: string; invitation: string }): JSX.Element {
  const [state, setState] = useState<SessionState | null>(null);
  const [problem, setProblem] = useState("");
  const [name, setName] = usePreference("name", "");
  useEffect(() => {
    api.session(id).then(setState, (error: Error) => setProblem(error.message));
  }, [id]);
  const own = state?.table?.own ?? [];
  useEffect(() => {
    if (own.length > 0) go({ screen: "play", session: id }, "replace"); // seated already
  }, [own.length]);
  const join = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      await api.join(id, invitation, name);
      go({ screen: "play", session: id }, "replace");
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <main class="start join">
      <section class="card" aria-label="Invitation">
        <Problem text={problem} onDismiss={() => setProblem("")} />
        {!state && !problem && <Waiting />}
        {state && (
          <form onSubmit={(event) => void join(event)}>
            <h1>You are invited to {state.title}</h1>
            <Seats seats={state.seats} position={state.position} />
            {state.table && state.table.free.length > 0 ? (
              <>
                <label class="field">
                  <span>Your name (optional)</span>
                  <input
                    maxLength={24}
                    value={name}
                    onInput={(event) => setName(event.currentTarget.value)}
                  />
                </label>
                <button class="primary large">Take the seat of player {(state.table.free[0] ?? 0) + 1}</button>
              </>
            ) : (
              <p>Every seat is taken.</p>
            )}
            <Link to={{ screen: "play", session: id }}>Just watch</Link>
          </form>
        )}
      </section>
    </main>
  );
}
