import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  answeringHookCommand,
  exitHookCommand,
  hookCommand,
  lastHookCommand,
} from "../../src/agents/_family/command.ts";

// The commands that stand in agents' configs, run by a real shell as the agents run them, with a small program in
// Holdfast's place. What must hold: a refusal gets through, and nothing that is no refusal ever looks like one.
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "holdfast-command-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const allow = '{"decision":"allow"}';
const forms = {
  json: hookCommand("a", "pre-tool"),
  exit: exitHookCommand("a", "pre-tool"),
  answering: answeringHookCommand("a", "pre-tool", allow),
  // Without a shell of its own (Hermes): the words are split and the first one is started.
  quoted: `sh -c '${hookCommand("a", "pre-tool")}'`,
} as const;

const quiet = { status: 0, stdout: "", stderr: "" };
/** What each form says when Holdfast has nothing to say. */
const silence = { json: quiet, exit: quiet, answering: { ...quiet, stdout: `${allow}\n` }, quoted: quiet };

const broken: Readonly<Record<string, string | null>> = {
  "there is no Holdfast": null,
  "its interpreter is gone": "#!/nowhere/node\n",
  "it crashes": "#!/bin/sh\nkill -9 $$\n",
  "it exits 1": "#!/bin/sh\nexit 1\n",
  "it exits 2 by accident, as a shell does that cannot open its script": "#!/bin/sh\nexit 2\n",
  "it is torn in the middle": "#!/bin/sh\nif [ 1 = 1 ]; then\n",
};

describe.each(Object.keys(forms) as (keyof typeof forms)[])("%s", (form) => {
  it.each(Object.keys(broken))("lets the call through when %s", (fault) => {
    const script = broken[fault] ?? null;
    if (script !== null) program(script);
    expect({ ...run(forms[form]), stderr: "" }).toEqual(silence[form]);
  });

  it("says nothing of its own when Holdfast says nothing", () => {
    program("#!/bin/sh\ncat >/dev/null\n");
    expect(run(forms[form])).toEqual(silence[form]);
  });

  it("hands the payload on, and the answer back", () => {
    program('#!/bin/sh\nprintf "%s: %s" "$*" "$(cat)"\n');
    expect(run(forms[form]).stdout.trimEnd()).toBe('hook a pre-tool: {"x":1}');
  });
});

it("exit: a refusal is exit code 2 with its reason on stderr, and nothing else", () => {
  program('#!/bin/sh\necho "holdfast: refused"\necho "No, because." >&2\n');
  expect(run(forms.exit)).toEqual({ status: 2, stdout: "", stderr: "No, because.\n" });
});

describe("Cursor's form", () => {
  const appended = `${lastHookCommand("a", "pre-tool")} <<'CURSOR_HOOK_EOF'\n{"x":1}\nCURSOR_HOOK_EOF`;

  it("gets the payload from the here-document that Cursor appends", () => {
    program('#!/bin/sh\nprintf "%s: %s" "$*" "$(cat)"\n');
    expect(run(appended, "")).toEqual({ ...quiet, stdout: 'hook a pre-tool: {"x":1}' });
  });

  it("ends with 0 when there is no Holdfast", () => {
    expect(run(appended, "")).toEqual(quiet);
  });

  it.each(["#!/nowhere/node\n", "#!/bin/sh\nexit 2\n", "#!/bin/sh\nkill -9 $$\n"])(
    "lets the call through when the program is none of ours or cannot run: %j",
    (text) => {
      program(text);
      expect(run(appended, "").status).toBe(0);
    },
  );
});

function program(text: string): void {
  mkdirSync(join(home, "bin"));
  const file = join(home, "bin", "holdfast");
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}

function run(command: string, input = '{"x":1}') {
  const env = { HOLDFAST_HOME: home, PATH: "/usr/bin:/bin" };
  const { status, stdout, stderr } = spawnSync("sh", ["-c", command], { input, env, encoding: "utf8" });
  return { status, stdout, stderr };
}
