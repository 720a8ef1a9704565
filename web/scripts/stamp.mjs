// Records the hash of the sources beside the bundle. A test of the package compares it with the
// sources, so that a bundle that was not built anew is noticed without Node.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL("..", import.meta.url));
const PALETTE = "../src/stratagem/evaluate/palette.json"; // bundled as well

function filesUnder(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesUnder(path) : [path];
  });
}

const sources = [
  ...filesUnder(join(web, "src")),
  ...["index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.ts", PALETTE].map(
    (name) => join(web, name),
  ),
];
const names = sources.map((path) => relative(web, path).replaceAll("\\", "/")).sort();
const hash = createHash("sha256");
for (const name of names) {
  hash.update(name + "\0");
  hash.update(readFileSync(join(web, name)));
  hash.update("\0");
}
const target = join(web, "../src/stratagem/web/static/sources.sha256");
writeFileSync(target, hash.digest("hex") + "\n");
