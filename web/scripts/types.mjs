// Writes src/wire.ts, the page's types, from schema.json, which the server writes from its models.
// `node scripts/types.mjs --check` only says whether the file is up to date.
import { readFileSync, writeFileSync } from "node:fs";

const schema = JSON.parse(readFileSync(new URL("../schema.json", import.meta.url), "utf8"));
const target = new URL("../src/wire.ts", import.meta.url);
const definitions = schema.$defs ?? schema.components.schemas;

function typeOf(node) {
  if (node === true || Object.keys(node).length === 0) return "unknown";
  if (node.$ref) return node.$ref.split("/").pop();
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum) return node.enum.map((value) => JSON.stringify(value)).join(" | ");
  const options = node.anyOf ?? node.oneOf;
  if (options) return [...new Set(options.map(typeOf))].join(" | ");
  if (node.allOf) return node.allOf.map(typeOf).join(" & ");
  switch (node.type) {
    case "array":
      if (node.prefixItems) return `[${node.prefixItems.map(typeOf).join(", ")}]`;
      return `Array<${node.items ? typeOf(node.items) : "unknown"}>`;
    case "object":
      return objectOf(node);
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
    case "null":
      return node.type;
    default:
      return "unknown";
  }
}

function objectOf(node) {
  if (!node.properties) {
    const values = node.additionalProperties;
    return `Record<string, ${values && values !== true ? typeOf(values) : "unknown"}>`;
  }
  return `{\n${fieldsOf(node)}}`;
}

function fieldsOf(node) {
  const required = new Set(node.required ?? []);
  return Object.entries(node.properties ?? {})
    .map(([name, field]) => `  ${name}${required.has(name) ? "" : "?"}: ${typeOf(field)};\n`)
    .join("");
}

function comment(text) {
  return text ? `/** ${text.replaceAll(/\s+/g, " ").trim()} */\n` : "";
}

function definition([name, node]) {
  const head = comment(node.description);
  if (node.type === "object" && node.properties) {
    return `${head}export interface ${name} {\n${fieldsOf(node)}}\n`;
  }
  return `${head}export type ${name} = ${typeOf(node)};\n`;
}

const text =
  "// Generated from schema.json by `npm run types`: edit the server's schema.py instead.\n\n" +
  Object.entries(definitions).map(definition).join("\n");

if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== text) {
    console.error("src/wire.ts is stale: run `npm run types`");
    process.exit(1);
  }
} else {
  writeFileSync(target, text);
}
