// The tables in the docs, printed from the code: README's agent × rule table and docs/facts.md, every fact
// about an agent with how it is known. Also schema.json, once the manifest's schema is there.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { rawText } from "./build.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

export async function generateDocs(put) {
  const { catalog, rules, coverage, wants, jsonSchema } = await load();
  const agents = Object.values(catalog);
  put("docs/facts.md", facts(agents, wants));
  if (jsonSchema) put("schema.json", `${JSON.stringify(jsonSchema(), null, 2)}\n`);
  const readme = join(root, "README.md");
  if (existsSync(readme)) {
    const text = between(readFileSync(readme, "utf8"), "matrix", matrix(agents, rules, coverage));
    put(
      "README.md",
      between(text, "proof", proof(JSON.parse(readFileSync(join(root, "lab/last-report.json"), "utf8")))),
    );
  }
}

function matrix(agents, rules, coverage) {
  const head = ["", ...rules.map((rule) => rule.title), "known"];
  const rows = agents.map(({ agent }) => {
    const cells = rules.map((rule) => coverage(rule, agent.can));
    const known = [...new Set(cells.filter(({ words }) => words !== "–").map(({ cell }) => cell.known))];
    const seen = cells.find(({ words }) => words !== "–")?.cell.seen.split(",")[0];
    const how = `${known.join(", ")} (${seen})`;
    return [
      `**${agent.title}**`,
      ...cells.map(({ words }) => words),
      hasRun(agent) ? how : `${how}, *not run here*`,
    ];
  });
  return table(head, rows);
}

function hasRun(agent) {
  return Object.values(agent.can).some(({ known }) => known === "ran");
}

/** What the lab saw last, from its report: one row an agent, proofs of one kind counted together. */
function proof(report) {
  const kinds = {
    "protected write refused": (id) => id.endsWith("-write") && id !== "harmless-write",
    "protected shell write refused": (id) => id.endsWith("-shell"),
    "risky command held": (id) => id === "risky-command",
    "harmless calls untouched": (id) => id.startsWith("harmless-"),
    "tests send back, then let go": (id) => id.startsWith("tests-"),
    "uninstall to the byte": (id) => id === "uninstall",
  };
  const rows = report.map(({ title, version, proofs }) => [
    `**${title}** ${version}`,
    ...Object.values(kinds).map((isKind) => held(proofs.filter(({ id }) => isKind(id)))),
  ]);
  const told = report[0].proofs.find((one) => one.told)?.told.split(/(?<=\.) /)[0];
  return `${table(["", ...Object.keys(kinds)], rows)}\nWhat ${report[0].title} was told: *${told}*\n`;
}

function held(proofs) {
  const good = proofs.filter(({ result }) => result === "held").length;
  if (proofs.length === 0) return "–";
  return `${good === proofs.length ? "✓" : "✗"} ${good}/${proofs.length}`;
}

function facts(agents, wants) {
  const parts = agents.map(({ agent, docs }) => {
    const rows = wants
      .map((want) => [want, agent.can[want]])
      .map(([want, cell]) => [`\`${want}\``, cell.effect, cell.known, cell.seen, cell.note]);
    const note = hasRun(agent)
      ? ""
      : `**Not run here.** To see on your machine that its hooks fire: \`holdfast doctor --live ${agent.id}\`.\n\n`;
    return `## ${agent.title}\n\nProtocol: <${docs}>\n\n${note}${table(["what Holdfast may want", "effect", "known", "seen on", "note"], rows)}`;
  });
  const guesses = agents.flatMap(({ agent }) =>
    wants.filter((want) => agent.can[want].known === "guess").map((want) => `- ${agent.title}: \`${want}\``),
  );
  return [
    "# What each agent carries out, and how that is known",
    "",
    "Printed from the code by `node scripts/generate.mjs`. *ran*: seen in the real program. *source*: read in the",
    "shipped program. *docs*: documented by its vendor. *guess*: none of these.",
    "",
    "`yes`: carried out as meant. `deny`: an ask becomes a refusal that tells the agent to ask the person. `log`:",
    "reaches a log only. `no`: dropped, or not sent at all.",
    "",
    parts.join("\n"),
    "## Guesses",
    "",
    guesses.length === 0 ? "None." : guesses.join("\n"),
    "",
  ].join("\n");
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |\n`;
  return line(head) + line(head.map(() => "---")) + rows.map(line).join("");
}

function between(text, name, content) {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`README.md has no ${start} … ${end}`);
  return `${text.slice(0, from + start.length)}\n${content}${text.slice(to)}`;
}

/** The code itself, bundled into a temporary file, because Node 20 does not run TypeScript. */
async function load() {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-generate-"));
  const schema = existsSync(join(root, "src/manifest/schema.ts"));
  try {
    const outfile = join(folder, "code.mjs");
    await esbuild.build({
      stdin: {
        contents: `export { catalog } from "./src/agents/catalog.ts"; export { rules, coverage } from "./src/core/coverage.ts"; export { wants } from "./src/core/can.ts"; ${schema ? 'export { jsonSchema } from "./src/manifest/schema.ts";' : ""}`,
        resolveDir: root,
        loader: "ts",
      },
      bundle: true,
      platform: "node",
      format: "esm",
      plugins: [rawText],
      logLevel: "error",
      outfile,
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
