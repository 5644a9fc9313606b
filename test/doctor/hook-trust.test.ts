import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hookTrust, projectTrusted } from "../../src/doctor/hook-trust.ts";

let base: string;
let hooks: string;
let config: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-trust-")));
  hooks = join(base, "project", ".codex", "hooks.json");
  config = join(base, "config.toml");
  mkdirSync(join(base, "project", ".codex"), { recursive: true });
  writeFileSync(hooks, JSON.stringify(file));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const file = {
  hooks: {
    PreToolUse: [
      { matcher: "^Bash$", hooks: [{ type: "command", command: "true" }] },
      {
        hooks: [
          {
            type: "command",
            command: 'h="x"; true',
            commandWindows: "cmd /d",
            timeout: 30,
            statusMessage: "Holdfast",
          },
        ],
      },
    ],
    Stop: [
      {
        hooks: [
          { type: "command", command: "echo é", timeout: 600 },
          { type: "command", command: "b", async: true },
        ],
      },
    ],
    SessionEnd: [{ hooks: [{ type: "command", command: "c", timeout: 100 }] }],
  },
};

/** ran: what `codex app-server` of codex-cli 0.171.0 answers to `hooks/list` for the file above, 2026-11-30. */
const hashes = {
  "pre_tool_use:0:0": "ab998b7464c9549681c8da38d5709ee0c1ece52458a7770bbe7e58b1ac1d162e",
  "pre_tool_use:1:0": "2b7abb4a010cd887a53a60ad7c25b4c3fad030e803f00c4b0702b0dbc6d6c0b3",
  "stop:0:0": "32c94b946eb34eea9d6c8c396ba68c7c2282e392adc5fd04853b8f89ecd30702",
  "stop:0:1": "00489f8515349351b03990768e637f934ea87cfecb3eac95bca8a0a808859908",
  "session_end:0:0": "430d51f65437272b398ff28bcc8e956d0af45b401feffb208374c5067db40acf",
};

interface Fixture {
  readonly file: unknown;
  readonly hashes?: Readonly<Record<string, string>>;
  readonly state?: Readonly<Record<string, string>>;
}

/** ran: codex-cli 0.171.0, 2026-11-30. `hooks-list`: its app-server; `trusted`: its config after "Trust all". */
function fixture(name: string): Fixture {
  const path = join(import.meta.dirname, "fixtures", `codex-0.171.0-${name}.json`);
  return JSON.parse(readFileSync(path, "utf8")) as Fixture;
}

function record(entries: Readonly<Record<string, string>>): string {
  return Object.entries(entries)
    .map(([key, rest]) => `[hooks.state.${JSON.stringify(`${hooks}:${key}`)}]\n${rest}\n`)
    .join("\n");
}

describe("which hooks the person has approved", () => {
  test("hashes are those of the agent itself, for every field that counts", () => {
    const found = hookTrust(hooks, config);
    expect(Object.fromEntries(found.map(({ key, hash }) => [key, hash]))).toEqual(
      Object.fromEntries(Object.entries(hashes).map(([key, hash]) => [`${hooks}:${key}`, `sha256:${hash}`])),
    );
    expect(new Set(found.map(({ trust }) => trust))).toEqual(new Set(["untrusted"]));
  });

  test("every event and every field, by what the agent itself lists", () => {
    const list = fixture("hooks-list");
    writeFileSync(hooks, JSON.stringify(list.file));
    const found = hookTrust(hooks, config).map(({ key, hash }) => [key.slice(hooks.length + 1), hash]);
    const skipped = found.filter(([key]) => list.hashes?.[key ?? ""] === undefined).map(([key]) => key);
    expect(Object.fromEntries(found)).toEqual(expect.objectContaining(list.hashes));
    // Handlers that are no commands: it skips them with a warning, and asks for no approval.
    expect(skipped.every((key) => key?.endsWith(":2:1"))).toBe(true);
  });

  test("what it wrote when a person chose to trust all is what is looked for", () => {
    const { file: approved, state = {} } = fixture("trusted");
    writeFileSync(hooks, JSON.stringify(approved));
    const lines = Object.entries(state).map(([key, hash]) => [key, `trusted_hash = "${hash}"`]);
    writeFileSync(config, record(Object.fromEntries(lines)));
    expect(hookTrust(hooks, config).map(({ event, trust }) => [event, trust])).toEqual([
      ["PreToolUse", "trusted"],
      ["Stop", "trusted"],
    ]);
  });

  test("trusted, changed, switched off and never asked are told apart", () => {
    writeFileSync(
      config,
      record({
        "pre_tool_use:0:0": `trusted_hash = "sha256:${hashes["pre_tool_use:0:0"]}"`,
        "pre_tool_use:1:0": 'trusted_hash = "sha256:00"',
        "stop:0:0": `trusted_hash = "sha256:${hashes["stop:0:0"]}"\nenabled = false`,
      }),
    );
    expect(hookTrust(hooks, config).map(({ trust }) => trust)).toEqual([
      "trusted",
      "changed",
      "off",
      "untrusted",
      "untrusted",
    ]);
  });

  test("a group put in front un-trusts the ones behind it", () => {
    writeFileSync(
      config,
      record({ "pre_tool_use:0:0": `trusted_hash = "sha256:${hashes["pre_tool_use:0:0"]}"` }),
    );
    const [first] = file.hooks.PreToolUse;
    const inserted = { hooks: { PreToolUse: [{ hooks: [{ type: "command", command: "new" }] }, first] } };
    writeFileSync(hooks, JSON.stringify(inserted));
    expect(hookTrust(hooks, config).map(({ trust }) => trust)).toEqual(["changed", "untrusted"]);
  });

  test("a project reached through a link is the one that was approved", () => {
    writeFileSync(
      config,
      `${record({ "pre_tool_use:0:0": `trusted_hash = "sha256:${hashes["pre_tool_use:0:0"]}"` })}\n[projects.${JSON.stringify(join(base, "project"))}]\ntrust_level = "trusted"\n`,
    );
    symlinkSync(join(base, "project"), join(base, "link"));
    expect(hookTrust(join(base, "link", ".codex", "hooks.json"), config)[0]?.trust).toBe("trusted");
    expect(projectTrusted(join(base, "link"), config)).toBe(true);
    expect(projectTrusted(base, config)).toBe(false);
  });

  test("files that are missing or do not parse mean: nothing approved", () => {
    writeFileSync(config, "[hooks\n");
    expect(hookTrust(hooks, config).every(({ trust }) => trust === "untrusted")).toBe(true);
    expect(hookTrust(join(base, "none.json"), config)).toEqual([]);
    expect(projectTrusted(base, join(base, "none.toml"))).toBe(false);
  });
});
