// As much Markdown as our rules use: headings, paragraphs, lists, tables, code, bold. Draws elements,
// never HTML text, so that nothing in a page can do anything.
import type { JSX } from "preact";

/** Blocks of a text: what is separated by blank lines; code between fences stays together. */
export function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let open: string[] = [];
  let fenced = false;
  const close = (): void => {
    if (open.length) blocks.push(open.join("\n"));
    open = [];
  };
  for (const line of text.split("\n")) {
    if (line.startsWith("```")) {
      if (!fenced) close();
      open.push(line);
      fenced = !fenced;
      if (!fenced) close();
    } else if (!fenced && (line.trim() === "" || line.startsWith("#"))) {
      close();
      if (line.startsWith("#")) blocks.push(line);
    } else {
      open.push(line);
    }
  }
  close();
  return blocks;
}

const ITEM = /^(?:[-*]|\d+\.) /;

/** The items of a list; lines that go on belong to the item above them. */
export function itemsOf(block: string): string[] {
  const items: string[] = [];
  for (const line of block.split("\n")) {
    if (ITEM.test(line)) items.push(line.replace(ITEM, ""));
    else items.push(`${items.pop() ?? ""} ${line.trim()}`);
  }
  return items;
}

/** Bold, code and links inside a line; a link shows its words. */
function Inline({ text }: { text: string }): JSX.Element {
  const parts = text.split(/(\*\*[^*]+\*\*|`[^`]+`|!?\[[^\]]*\]\([^)]*\))/);
  return (
    <>
      {parts.map((part, index) => {
        if (part.startsWith("**")) return <b key={index}>{part.slice(2, -2)}</b>;
        if (part.startsWith("`")) return <code key={index}>{part.slice(1, -1)}</code>;
        if (part.startsWith("![")) return null;
        const link = /^\[([^\]]*)\]\(/.exec(part);
        return link ? link[1] : part;
      })}
    </>
  );
}

function Table({ block }: { block: string }): JSX.Element {
  const rows = block
    .split("\n")
    .filter((line) => !/^\|[\s:|-]+\|$/.test(line))
    .map((line) => line.replace(/^\||\|$/g, "").split("|"));
  const [head = [], ...body] = rows;
  return (
    <table>
      <thead>
        <tr>
          {head.map((cell, index) => (
            <th key={index} scope="col">
              <Inline text={cell.trim()} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {body.map((row, at) => (
          <tr key={at}>
            {row.map((cell, index) => (
              <td key={index}>
                <Inline text={cell.trim()} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Block({ block }: { block: string }): JSX.Element {
  if (block.startsWith("```")) return <pre>{block.split("\n").slice(1, -1).join("\n")}</pre>;
  if (block.startsWith("#")) {
    return (
      <h3>
        <Inline text={block.replace(/^#+ /, "")} />
      </h3>
    );
  }
  if (block.startsWith("|")) return <Table block={block} />;
  if (!ITEM.test(block)) {
    return (
      <p>
        <Inline text={block.replaceAll("\n", " ")} />
      </p>
    );
  }
  const items = itemsOf(block).map((item, index) => (
    <li key={index}>
      <Inline text={item} />
    </li>
  ));
  return /^\d/.test(block) ? <ol>{items}</ol> : <ul>{items}</ul>;
}

export function Markdown({ text }: { text: string }): JSX.Element {
  return (
    <div class="markdown">
      {blocksOf(text).map((block, index) => (
        <Block key={index} block={block} />
      ))}
    </div>
  );
}
