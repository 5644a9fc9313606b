import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { envelopeOf, holdfast, makePlace, type Place } from "./harness.ts";

let place: Place;
let env: { PATH: string };

beforeEach(() => {
  place = makePlace();
  const bin = join(place.home, "lib", "node_modules", "claude");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "package.json"), '{ "version": "2.9.0" }');
  writeFileSync(join(bin, "claude"), "#!/bin/sh\n", { mode: 0o755 });
  mkdirSync(join(place.home, ".qwen"));
  env = { PATH: `${bin}:/usr/bin:/bin` };
});
afterEach(() => place.remove());

test("agents that are named: each cell in words, with its reason and where it was seen", async () => {
  await holdfast(place, ["install", "--yes", "--agent", "claude-code"], { env });
  const argv = ["coverage", "--agent", "claude-code,junie,git"];
  const { code, stdout, stderr } = await holdfast(place, argv, { env, width: 80 });
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toBe(named);
});

test("all agents fit 80 columns; reasons follow only for those that are here and do less", async () => {
  const { stdout } = await holdfast(place, ["coverage"], { env, width: 80 });
  const lines = stdout.split("\n");
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(lines.filter((line) => /^[●○]/.test(line)).map((line) => line.slice(0, 17).trimEnd())).toEqual([
    "○  Claude Code",
    "○  Qwen Code",
    "○  git pre-commit",
    "●        guarded",
    "○        on this",
  ]);
  expect(stdout.split("the least sure fact of the row\n")[1]).toBe(reasonsForGit);
  const quiet = await holdfast(place, ["coverage", "--quiet"], { env, width: 80 });
  expect(stdout.startsWith(`${quiet.stdout}\n●        guarded here`)).toBe(true);
});

test("the table in the README says the same", async () => {
  const { json } = await envelopeOf(place, ["coverage"], { env });
  const { agents } = json.data as { agents: { title: string; rules: { does: string | null }[] }[] };
  const rows = agents.map(({ title, rules }) =>
    [`**${title}**`, ...rules.map(({ does }) => does ?? "–")].join(" | "),
  );
  const readme = readFileSync("README.md", "utf8").split("<!-- matrix -->")[1]?.split("<!-- /matrix -->")[0];
  const printed = (readme ?? "").split("\n").filter((line) => line.startsWith("| **"));
  expect(printed.map((line) => line.slice(2).split(" | ").slice(0, 5).join(" | ")).sort()).toEqual(
    rows.sort(),
  );
});

test("as JSON: what is here, and every fact with its provenance", async () => {
  const { json } = await envelopeOf(place, ["coverage", "--agent", "claude-code"], { env });
  expect(json.data).toEqual({
    agents: [
      {
        agent: "claude-code",
        title: "Claude Code",
        present: true,
        version: "2.9.0",
        installed: [],
        rules: [
          { rule: "protect", does: "blocked", ...ran("") },
          {
            rule: "risky",
            does: "you are asked",
            ...ran("Headless (`-p`) an ask becomes a refusal with our reason."),
          },
          {
            rule: "tests",
            does: "sent back",
            ...ran("Claude Code itself stops after 8 send-backs in a row."),
          },
          { rule: "review", does: "you are told", ...ran("") },
        ],
      },
    ],
  });
});

test("an agent that does not exist is a mistake in the command", async () => {
  const { code, stderr } = await holdfast(place, ["coverage", "--agent", "codexx"], { env });
  expect([code, stderr.includes('did you mean "codex"')]).toEqual([64, true]);
});

const ran = (note: string) => ({ effect: "yes", known: "ran", seen: "2.1.332, 2026-11-30", note });

const reasonsForGit = `
git pre-commit
  risky commands    not possible. Git has only commits. (ran: 2.39, 2026-11-30)
  large change      not possible. (ran: 2.39, 2026-11-30)
`;

const named = `                   protect    risky    tests      review  known
●  Claude Code     blocked    asked    sent back  told    ran
   Junie CLI       blocked    refused  sent back  –       guess
○  git pre-commit  at commit  –        at commit  –       ran

●        guarded here
○        on this machine, not guarded here
protect  writes to protected files: blocked, or refused when they are committed
risky    risky commands: you are asked, or they are refused and yours to run
tests    failing tests: the agent is sent back, or the commit is refused
review   a very large change: you are told
–        the agent has no way to do it
known    ran, source, docs or guess: the least sure fact of the row

Claude Code   2.9.0 is here
  protected files   blocked. (ran: 2.1.332, 2026-11-30)
  risky commands    you are asked. Headless (\`-p\`) an ask becomes a refusal with
                    our reason. (ran: 2.1.332, 2026-11-30)
  tests at the end  sent back. Claude Code itself stops after 8 send-backs in a
                    row. (ran: 2.1.332, 2026-11-30)
  large change      you are told. (ran: 2.1.332, 2026-11-30)

Junie CLI
  protected files   blocked. The events are documented; what their answers do is
                    taken from the Claude-like form.
                    (guess: junie.jetbrains.com, 2026-11-30)
  risky commands    refused; yours to run. Not established, so it is refused
                    with instructions. (guess: junie.jetbrains.com, 2026-11-30)
  tests at the end  sent back. The events are documented; what their answers do
                    is taken from the Claude-like form.
                    (guess: junie.jetbrains.com, 2026-11-30)
  large change      not possible. (guess: junie.jetbrains.com, 2026-11-30)

git pre-commit
  protected files   commit refused. \`git commit --no-verify\` skips it, as it
                    skips any hook. (ran: 2.39, 2026-11-30)
  risky commands    not possible. Git has only commits. (ran: 2.39, 2026-11-30)
  tests at the end  run at each commit. \`git commit --no-verify\` skips it, as it
                    skips any hook. (ran: 2.39, 2026-11-30)
  large change      not possible. (ran: 2.39, 2026-11-30)
`;
