// Open a recorded game from a file: choose it or drop it on the page.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../api";
import { Problem } from "../parts/Notice";
import { go } from "../router";

export async function openRecord(file: Blob): Promise<void> {
  const session = await api.upload(file);
  go({ screen: "replay", session: session.id, ply: 0 });
}

export function Open(): JSX.Element {
  const [problem, setProblem] = useState("");
  const [over, setOver] = useState(false);
  const open = (file: File | null | undefined): void => {
    if (!file) return;
    setProblem("");
    openRecord(file).catch((error: Error) => setProblem(`${file.name}: ${error.message}`));
  };
  return (
    <main class="open">
      <section
        class={`card drop${over ? " over" : ""}`}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          open(event.dataTransfer?.files[0]);
        }}
      >
        <h1>Replay a game</h1>
        <p>
          Drop a record here (a <code>.jsonl</code> file that <code>stratagem</code> wrote, or that
          you saved from a game), or
        </p>
        <label class="button primary">
          Choose a file
          <input
            type="file"
            accept=".jsonl,.json,.txt"
            class="unseen"
            onChange={(event) => open(event.currentTarget.files?.[0])}
          />
        </label>
        <Problem text={problem} onDismiss={() => setProblem("")} />
        <p class="hint">
          <code>stratagem replay FILE --html OUT.html</code> writes a page that needs no server.
        </p>
      </section>
    </main>
  );
}
