import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Checkout, copyCheckout } from "./checkout.ts";
import { type Block, blocksOf, isAsTold } from "./page.ts";

const page = join(dirname(fileURLToPath(import.meta.url)), "../../docs/add-an-agent.md");
/** Of the templates, each under a name whose length and form the template does not have. */
const siblings = { "zeta-2": "claude", "the-list-of-them-all": "list", brg: "bridge" } as const;

let checkout: Checkout;
beforeAll(async () => {
  checkout = await copyCheckout();
  await commit("As it is");
}, 120_000);
afterAll(() => checkout.remove());

// Half a minute on a quiet machine; the limit is for one that is not.
describe("a new agent", { timeout: 600_000 }, () => {
  it.each([
    ["", "say how the agent is to be called"],
    ["Acme", '"Acme" cannot be an agent\'s id'],
    ["../acme", '"../acme" cannot be an agent\'s id'],
    ["acme acme-two", "one agent at a time: acme, acme-two"],
    ["codex", "src/agents/codex is there already"],
    ["claudecode", '"claudecode" is too near to the agent "claude-code"'],
    ["import", '"import" has a meaning of its own here'],
    ["constructor", '"constructor" has a meaning of its own here'],
    ["to-string", '"to-string" has a meaning of its own here'],
    ["acme --title 'claude Code'", '"claude Code" is the title of the agent "claude-code"'],
    ["deny", '"deny" is a word of Holdfast\'s own (src/'],
    ["acme --like codex", 'there is no template "codex"; there are claude, list, bridge'],
    ["acme --title 'a\"b'", '"a"b" cannot be a title'],
    ["acme --seen '3, 2'", '"3, 2" cannot be a version'],
    ["acme --docs acme.example", '"acme.example" is no web address'],
    ["acme --lik list", "Unknown option '--lik'"],
  ])("is refused in words: %s", async (args, words) => {
    const { code, output } = await run(`node scripts/new-agent.mjs ${args}`);
    expect([code, output.startsWith(words)]).toEqual([64, true]);
  });

  it("leaves nothing behind when it is refused", async () => {
    expect(await run("git status --short")).toEqual({ code: 0, output: "" });
  });

  it("comes whole or not at all", async () => {
    checkout.put("test/agents/_template/list/obey.ts", "export const obey = {{{");
    await commit("A broken template");
    const { code, output } = await run("node scripts/new-agent.mjs acme --like list");
    const left = await run("git status --short");
    await succeed("git revert --no-edit HEAD");
    expect([code, left.output]).toEqual([1, ""]);
    expect(output).toMatch(/^nothing was written: the template cannot be formatted\n[\s\S]*obey\.ts/);
  });

  // The conformance suite reads them too, when the page below has it run for the first time.
  it("is clean as it comes from each template, and doctor knows its answers", async () => {
    for (const [id, like] of Object.entries(siblings)) {
      await succeed(`npm run new-agent -- ${id} --like ${like} --title "Zeta & Co's ${id}"`);
    }
    const ids = Object.keys(siblings);
    const folders = ids.flatMap((id) => [`src/agents/${id}`, `test/agents/${id}`]);
    await succeed("npm run generate");
    await succeed(`npx biome check --error-on-warnings ${folders.join(" ")}`);
    await succeed(`npm run build
      dist="$PWD/dist/holdfast.cjs" && cd "$(mktemp -d)" && git init -q .
      node "$dist" install --yes --scope project --agent ${ids.join(",")}
      node "$dist" doctor && node "$dist" uninstall --yes`);
    await commit("Three agents");
  });

  it("is added as docs/add-an-agent.md says, with nothing else edited by hand", async () => {
    for (const block of blocksOf(readFileSync(page, "utf8"))) await follow(block);
  });
});

/** Does what the page says at this point; fails with the line of the page and what was printed. */
async function follow(block: Block): Promise<void> {
  if (block.kind === "file") return checkout.put(block.path, block.text);
  const { code, output } = await run(block.script);
  const where = `docs/add-an-agent.md:${block.line}\n${block.script}--- printed ---\n${output}`;
  expect(code, where).toBe(0);
  if (block.prints !== null) expect(isAsTold(output, block.prints), where).toBe(true);
}

async function commit(message: string): Promise<void> {
  await succeed(`git add -A && git commit -q --allow-empty -m "${message}"`);
}

async function succeed(script: string): Promise<void> {
  const { code, output } = await run(script);
  expect(code, `${script}\n--- printed ---\n${output}`).toBe(0);
}

function run(script: string) {
  return checkout.run(script, AbortSignal.timeout(300_000));
}
