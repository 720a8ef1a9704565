// The search tree behind a position: children by visits, down to any depth, chance nodes set apart.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { countText, percentText, playerText, saidText } from "../words";
import type { TreeChild, TreeNode } from "../wire";

export interface TreeExplorerProps {
  node: TreeNode | null;
  busy: boolean;
  onPath: (path: number[]) => void;
  onPoint: (child: TreeChild | null) => void;
}

const KINDS: Record<TreeChild["kind"], string> = {
  decision: "",
  chance: "⚄ dice",
  over: "■ end",
  unvisited: "not visited",
};

export function TreeExplorer({ node, busy, onPath, onPoint }: TreeExplorerProps): JSX.Element {
  const [least, setLeast] = useState(1);
  if (!node) {
    return (
      <div class="tree">
        <button type="button" class="primary" disabled={busy} onClick={() => onPath([])}>
          {busy ? "Growing the tree…" : "Search and open the tree"}
        </button>
      </div>
    );
  }
  const children = node.children.filter((child) => child.visits >= least);
  return (
    <div class="tree" aria-busy={busy}>
      <nav class="crumbs" aria-label="Path in the tree">
        <button type="button" onClick={() => onPath([])} disabled={node.path.length === 0}>
          root
        </button>
        {node.texts.map((text, index) => (
          <button
            key={index}
            type="button"
            disabled={index === node.texts.length - 1}
            onClick={() => onPath(node.path.slice(0, index + 1))}
          >
            {text}
          </button>
        ))}
      </nav>
      <p class={`node ${node.kind}`}>
        {node.kind === "chance"
          ? "⚄ The dice decide here"
          : node.kind === "over"
            ? "■ The game is over here"
            : `Player ${node.seat + 1} decides here`}
        , {countText(node.visits)} visits
        {node.value !== null && `, win rate ${percentText((node.value + 1) / 2)}`}
        {node.facts_hidden && "; one guess at what is hidden"}
      </p>
      <label class="check">
        at least{" "}
        <select value={least} onChange={(event) => setLeast(Number(event.currentTarget.value))}>
          {[0, 1, 2, 5, 10, 50].map((count) => (
            <option key={count} value={count}>
              {count}
            </option>
          ))}
        </select>{" "}
        visits ({children.length} of {node.total_children})
      </label>
      <table>
        <thead>
          <tr>
            <th scope="col">{node.kind === "chance" ? "Outcome" : "Move"}</th>
            <th scope="col">{node.kind === "chance" ? "Chance" : "Prior"}</th>
            <th scope="col">Visits</th>
            <th scope="col">Win</th>
            <th scope="col">Next to move</th>
          </tr>
        </thead>
        <tbody onMouseLeave={() => onPoint(null)}>
          {children.map((child) => (
            <tr key={child.action} class={child.kind} onMouseEnter={() => onPoint(child)}>
              <th scope="row">
                {child.kind === "unvisited" ? (
                  saidText(child)
                ) : (
                  <button
                    type="button"
                    class="link"
                    onClick={() => onPath([...node.path, child.action])}
                  >
                    {saidText(child)}
                  </button>
                )}
              </th>
              <td class="number">{percentText(child.prior)}</td>
              <td class="number">{countText(child.visits)}</td>
              <td class="number">
                {child.value === null ? "–" : percentText((child.value + 1) / 2)}
              </td>
              <td>
                {KINDS[child.kind] || (child.seat === null ? "" : playerText(child.seat))}
                {child.children > 0 && `, ${child.children}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
