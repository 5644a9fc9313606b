// Writes the folders of a new agent from a template: src/agents/<id> and test/agents/<id>. They pass every check at
// once, with each fact marked as a guess. docs/add-an-agent.md leads from there to a proven agent.
//
//   npm run new-agent -- <id> [--title "…"] [--like claude|list|bridge] [--seen <version>] [--docs <url>]
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** What each template is for; the folders themselves are in `_template`. */
const kinds = {
  claude: "Claude Code's payloads, answers and settings layout",
  list: "a JSON file of its own with a list of commands per event",
  bridge: "a plugin in the agent's own process",
};

/** Words that a constant or a file beside the folders cannot be named by. */
const taken =
  /^(agents?|catalog|ids|index|con|prn|aux|nul|arguments|await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|eval|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|undefined|var|void|while|with|yield)$/;

process.exitCode = main(process.argv.slice(2));

function main(argv) {
  if (argv.includes("--help") || argv.includes("-h")) {
    console.log(usage());
    return 0;
  }
  const asked = read(argv);
  if (asked.fault !== undefined) return refuse(asked.fault);
  const fault = faultIn(asked);
  if (fault !== null) return refuse(fault);
  try {
    console.log(nextSteps(asked, write(asked)));
    return 0;
  } catch (error) {
    console.error(`nothing was written: ${error.message}`);
    return 1;
  }
}

function read(argv) {
  const text = { type: "string" };
  const options = { title: text, like: text, seen: text, docs: text };
  try {
    const { values, positionals } = parseArgs({ args: argv, options, allowPositionals: true });
    const [id, ...more] = positionals;
    if (id === undefined) return { fault: "say how the agent is to be called, e.g. acme" };
    if (more.length > 0) return { fault: `one agent at a time: ${[id, ...more].join(", ")}` };
    const today = new Date().toISOString().slice(0, 10);
    const title = id.replace(/(^|-)(.)/g, (_, dash, letter) => (dash && " ") + letter.toUpperCase());
    const docs = `https://example.org/${id}/hooks`;
    return { id, today, ...{ title, like: "claude", seen: "0.0.0", docs, ...values } };
  } catch (error) {
    return { fault: error.message };
  }
}

/** Why this agent cannot be made, in words; null when it can. */
function faultIn({ id, title, like, seen, docs }) {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id)) {
    return `"${id}" cannot be an agent's id: small letters, digits and single dashes, a letter first`;
  }
  if (id.length > 30) return `"${id}" is too long for an id: 30 letters at most`;
  if (taken.test(id) || camelCase(id) in {})
    return `"${id}" has a meaning of its own here; add something to it, e.g. ${id}-cli`;
  for (const folder of [`src/agents/${id}`, `test/agents/${id}`]) {
    if (existsSync(join(root, folder))) return `${folder} is there already`;
  }
  const twin = agentFolders().find((other) => constant(other) === constant(id));
  if (twin !== undefined) return `"${id}" is too near to the agent "${twin}"`;
  const use = useOf(id);
  if (use !== null) return `"${id}" is a word of Holdfast's own (${use}), so it cannot name an agent`;
  if (!Object.hasOwn(kinds, like)) {
    return `there is no template "${like}"; there are ${Object.keys(kinds).join(", ")}`;
  }
  if (!/^[\p{L}\p{N} .+'&()-]{1,40}$/u.test(title)) {
    return `"${title}" cannot be a title: 1 to 40 letters, digits, blanks and .+'&()-`;
  }
  const namesake = agentFolders().find((other) => titleOf(other)?.toLowerCase() === title.toLowerCase());
  if (namesake !== undefined)
    return `"${title}" is the title of the agent "${namesake}"; give it another --title`;
  if (!/^[\w.+-]{1,40}$/.test(seen)) return `"${seen}" cannot be a version: letters, digits, and .+-_`;
  if (!/^https?:\/\/[^\s"'`\\<>]+$/.test(docs)) return `"${docs}" is no web address`;
  return null;
}

function agentFolders() {
  return readdirSync(join(root, "src/agents"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("_"))
    .map((entry) => entry.name);
}

function camelCase(id) {
  return id.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
}

function titleOf(id) {
  const index = join(root, "src/agents", id, "index.ts");
  return existsSync(index) ? (/^ {2}title: "(.*)",$/m.exec(readFileSync(index, "utf8"))?.[1] ?? null) : null;
}

function constant(id) {
  return id.replaceAll("-", "").toLowerCase();
}

/** The file outside the agents' folders in which the id stands in quotes, as no agent's may. */
function useOf(id) {
  const inQuotes = new RegExp(`["'\`]${id}["'\`]`);
  const found = sources(join(root, "src")).find((file) => inQuotes.test(readFileSync(file, "utf8")));
  return found === undefined ? null : relative(root, found);
}

function sources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return path === join(root, "src/agents") ? [] : sources(path);
    return entry.name.endsWith(".ts") ? [path] : [];
  });
}

/** Both folders or none: they are made beside their places, and moved there when all is well. */
function write(asked) {
  const parts = ["src/agents", "test/agents"].map((folder) => join(root, folder));
  const files = parts.map((part) => texts(join(part, "_template", asked.like), asked));
  const moved = [];
  const made = [];
  try {
    for (const [index, part] of parts.entries()) {
      made.push(join(part, `_new-${process.pid}`));
      for (const [name, text] of files[index]) put(join(made[index], name), text);
    }
    format(made);
    for (const [index, part] of parts.entries()) {
      renameSync(made[index], join(part, asked.id));
      moved.push(join(part, asked.id));
    }
    return files.map((some) => [...some.keys()]);
  } catch (error) {
    for (const folder of [...made, ...moved]) rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** The template's files as the new agent's, by their names below its folder. */
function texts(template, asked) {
  const found = new Map();
  const names = readdirSync(template, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(template, join(entry.parentPath, entry.name)));
  for (const name of names.sort()) {
    const text = filled(readFileSync(join(template, name), "utf8"), asked);
    found.set(name.replaceAll("0.0.0", asked.seen), text);
  }
  return found;
}

function filled(text, { id, title, like, seen, docs, today }) {
  return text
    .replace(/(from ")\.\.\//g, "$1")
    .replaceAll(`_template/${like}`, id)
    .replace(/https:\/\/example\.org\/newcomer\/\w+/g, () => docs)
    .replaceAll("NEWCOMER", id.toUpperCase().replaceAll("-", "_"))
    .replaceAll("Newcomer", () => title)
    .replaceAll("newcomer", id)
    .replaceAll("0.0.0", seen)
    .replaceAll("2000-01-01", today);
}

/** A longer name may want a line broken elsewhere. */
function format(folders) {
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  if (!existsSync(biome)) throw new Error("what it takes is not installed; run npm ci first");
  const args = [biome, "format", "--write", ...folders.map((folder) => relative(root, folder))];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`the template cannot be formatted\n${stderr}`);
}

function put(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function nextSteps({ id, title, like }, [source, test]) {
  return `${title} is here, like ${kinds[like]}:
  src/agents/${id}   ${source.join(", ")}
  test/agents/${id}  ${test.join(", ")}
Everything in it is a guess. Next:
  1. npm run generate
  2. npx vitest run test/conformance test/agents/fixtures.test.ts
  3. docs/add-an-agent.md, from "Say what the vendor says": put the facts where the guesses are`;
}

function refuse(fault) {
  console.error(`${fault}\n${usage()}`);
  return 64;
}

function usage() {
  const list = Object.entries(kinds).map(([kind, words]) => `    ${kind.padEnd(8)}${words}`);
  return `usage: npm run new-agent -- <id> [--title "…"] [--like <template>] [--seen <version>] [--docs <url>]
${list.join("\n")}`;
}
