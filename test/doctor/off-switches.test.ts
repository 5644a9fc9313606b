import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { setup as claudeCode } from "../../src/agents/claude-code/setup.ts";
import { setup as codex } from "../../src/agents/codex/setup.ts";
import { setup as gemini } from "../../src/agents/gemini/setup.ts";
import { setup as qwen } from "../../src/agents/qwen/setup.ts";
import { thrownSwitches } from "../../src/doctor/checks/off-switches.ts";
import { envelopeOf, makePlace, type Place } from "../cli/harness.ts";

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const env = { PATH: "/usr/bin:/bin" };

interface Told {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly file: string | null;
  readonly agent: string | null;
}

async function told(argv: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const { json } = await envelopeOf(place, argv, { env: { ...env, ...more } });
  return (json.findings as Told[])
    .filter(({ code }) => code === "HF203")
    .map(({ severity, message, file, agent }) => [severity, message, file, agent]);
}

/** Writes a file of the home (`~/…`) or the project; one that is there as JSON keeps what it has. */
function put(path: string, text: string): string {
  const file = path.startsWith("~/") ? join(place.home, path.slice(2)) : join(place.project, path);
  mkdirSync(dirname(file), { recursive: true });
  const merged = existsSync(file) && file.endsWith(".json") ? merge(readFileSync(file, "utf8"), text) : text;
  writeFileSync(file, merged);
  return file;
}

function merge(before: string, more: string): string {
  const one = JSON.parse(before) as Record<string, Record<string, unknown>>;
  const two = JSON.parse(more) as Record<string, Record<string, unknown>>;
  const keys = Object.keys(two).map((key) => {
    const both = typeof one[key] === "object" && !Array.isArray(one[key]);
    return [key, both ? { ...one[key], ...two[key] } : two[key]];
  });
  return JSON.stringify({ ...one, ...Object.fromEntries(keys) });
}

const all = (key: string, title: string) => `${key} switches every hook of ${title} off`;
const off = '{ "disableAllHooks": true }';
const on = '{ "disableAllHooks": false }';

/** Agent, file, text that switches off, text that does not, what is said. */
const switches: [string, string, string, string, string][] = [
  ["claude-code", "~/.claude/settings.json", off, on, all("disableAllHooks", "Claude Code")],
  ["claude-code", ".claude/settings.json", off, on, all("disableAllHooks", "Claude Code")],
  ["claude-code", ".claude/settings.local.json", off, on, all("disableAllHooks", "Claude Code")],
  [
    "codex",
    "~/.codex/config.toml",
    "[features]\nhooks = false\n",
    "[features]\nhooks = true\n",
    all("features.hooks", "Codex"),
  ],
  [
    "codex",
    ".codex/config.toml",
    "[features]\nhooks = false\n",
    "features = 1\n",
    all("features.hooks", "Codex"),
  ],
  [
    "gemini",
    "~/.gemini/settings.json",
    '{ "hooksConfig": { "enabled": false } }',
    '{ "hooksConfig": { "enabled": true } }',
    all("hooksConfig.enabled", "Gemini CLI"),
  ],
  [
    "gemini",
    ".gemini/settings.json",
    '{ "hooksConfig": { "disabled": ["holdfast"] } }',
    '{ "hooksConfig": { "disabled": ["lint"] } }',
    all("hooksConfig.disabled", "Gemini CLI"),
  ],
  ["qwen", "~/.qwen/settings.json", off, on, all("disableAllHooks", "Qwen Code")],
  ["qwen", ".qwen/settings.json", off, on, all("disableAllHooks", "Qwen Code")],
  ["copilot", "~/.copilot/settings.json", off, on, all("disableAllHooks", "Copilot CLI")],
  [
    "copilot",
    ".github/copilot/settings.local.json",
    '{ "allowManagedHooksOnly": true }',
    "{}",
    all("allowManagedHooksOnly", "Copilot CLI"),
  ],
  [
    "droid",
    "~/.factory/settings.json",
    '{ "hooksDisabled": true }',
    '{ "hooksDisabled": false }',
    all("hooksDisabled", "Factory Droid"),
  ],
  [
    "droid",
    ".factory/hooks.json",
    '{ "PreToolUse": [] }',
    '{ "hooks": { "PreToolUse": [] } }',
    "PreToolUse in this file takes the place of Holdfast's beside it",
  ],
  [
    "antigravity",
    ".agents/hooks.json",
    '{ "holdfast": { "enabled": false } }',
    '{ "other": { "enabled": false } }',
    all("holdfast.enabled", "Antigravity"),
  ],
  [
    "goose",
    ".config/goose/settings.local.json",
    '{ "disabledPlugins": ["holdfast"] }',
    '{ "disabledPlugins": ["x"] }',
    all("disabledPlugins", "Goose"),
  ],
  [
    "grok",
    "~/.grok/requirements.toml",
    "allow_managed_hooks_only = true\n",
    "allow_managed_hooks_only = false\n",
    all("allow_managed_hooks_only", "Grok"),
  ],
  [
    "grok",
    "~/.grok/disabled-hooks",
    "PreToolUse holdfast.json\n",
    "lint.json\n",
    "Holdfast is on the list of what is off in Grok",
  ],
  [
    "letta",
    ".letta/settings.local.json",
    '{ "hooks": { "disabled": true } }',
    '{ "hooks": { "disabled": false } }',
    all("hooks.disabled", "Letta Code"),
  ],
];

describe("a switch in a settings file", () => {
  test.each(switches)("%s %s", async (agent, path, thrown, harmless, message) => {
    await envelopeOf(place, ["install", "--yes", "--agent", agent, "--scope", "project"], { env });
    const file = put(path, harmless);
    expect(await told(["doctor", "--agent", agent])).toEqual([]);
    put(path, thrown);
    expect(await told(["doctor", "--agent", agent])).toEqual([["error", message, file, agent]]);
    // Installing again says so too, as what is written would not run; it is no reason to refuse.
    expect(await told(["install", "--yes", "--agent", agent])).toEqual([["warning", message, file, agent]]);
  });

  test("where the agent is not guarded, its switches are nobody's business", async () => {
    put(".claude/settings.json", off);
    expect(await told(["doctor"])).toEqual([]);
  });

  test("a hooks.json of Droid in another scope takes nobody's place", async () => {
    await envelopeOf(place, ["install", "--yes", "--agent", "droid"], { env });
    put("~/.factory/hooks.json", '{ "Stop": [] }');
    expect(await told(["doctor", "--agent", "droid"])).toEqual([]);
  });

  test("what only an administrator may set means nothing in the person's own file", async () => {
    await envelopeOf(place, ["install", "--yes", "--agent", "claude-code"], { env });
    put(
      "~/.claude/settings.json",
      '{ "allowManagedHooksOnly": true, "strictPluginOnlyCustomization": ["hooks"] }',
    );
    expect(await told(["doctor", "--agent", "claude-code"])).toEqual([]);
  });
});

test.each([
  ["opencode", "OPENCODE_PURE", "OpenCode"],
  ["opencode", "OPENCODE_DISABLE_PROJECT_CONFIG", "OpenCode"],
  ["kilo", "KILO_PURE", "Kilo Code"],
  ["kilo", "KILO_DISABLE_PROJECT_CONFIG", "Kilo Code"],
  ["hermes", "HERMES_SAFE_MODE", "Hermes Agent"],
])("%s: the variable %s", async (agent, name, title) => {
  const scope = agent === "hermes" ? "user" : "project";
  await envelopeOf(place, ["install", "--yes", "--agent", agent, "--scope", scope], { env });
  for (const value of ["", "0", "false"])
    expect(await told(["doctor", "--agent", agent], { [name]: value })).toEqual([]);
  expect(await told(["doctor", "--agent", agent], { [name]: "1" })).toEqual([
    ["error", `${name} is set, so ${title} loads no hooks`, null, agent],
  ]);
});

test.each([
  ["gemini", "GEMINI_CLI_SYSTEM_SETTINGS_PATH", '{ "hooksConfig": { "enabled": false } }'],
  ["qwen", "QWEN_CODE_SYSTEM_SETTINGS_PATH", off],
])("%s: what the system's settings say, wherever they lie", async (agent, variable, text) => {
  await envelopeOf(place, ["install", "--yes", "--agent", agent], { env });
  const file = put("~/system.json", text);
  expect(
    (await told(["doctor", "--agent", agent], { [variable]: file })).map(([, , where]) => where),
  ).toEqual([file]);
});

test("the drop-ins of an administrator", () => {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-managed-"));
  const machine = { home: "/h", root: null, env: {}, platform: "linux", gitHooks: null };
  const setup = { ...claudeCode, settingsFiles: () => [`${folder}/managed-settings.d/*.json`] };
  const found = () => thrownSwitches(setup, ["user"], machine).map(({ where }) => where.file);
  expect(found()).toEqual([]);
  mkdirSync(join(folder, "managed-settings.d"));
  for (const [name, text] of [
    ["20-more.json", '{ "allowManagedHooksOnly": true }'],
    ["10-off.json", '{ "disableAllHooks": true }'],
    ["30-fine.json", '{ "disableAllHooks": false }'],
    ["notes.txt", '{ "disableAllHooks": true }'],
  ] as const)
    writeFileSync(join(folder, "managed-settings.d", name), text);
  expect(found().map((file) => basename(file ?? ""))).toEqual(["10-off.json", "20-more.json"]);
  rmSync(folder, { recursive: true });
});

test("the files of an administrator", () => {
  const on = (platform: string) => ({ home: "/h", root: null, env: {}, platform, gitHooks: null });
  expect(claudeCode.settingsFiles?.(on("linux"))).toEqual([
    "/etc/claude-code/managed-settings.json",
    "/etc/claude-code/managed-settings.d/*.json",
  ]);
  expect(claudeCode.settingsFiles?.(on("darwin"))).toEqual([
    "/Library/Application Support/ClaudeCode/managed-settings.json",
    "/Library/Application Support/ClaudeCode/managed-settings.d/*.json",
  ]);
  expect(codex.settingsFiles?.(on("linux"))).toEqual([
    "/h/.codex/config.toml",
    "/etc/codex/config.toml",
    "/etc/codex/managed_config.toml",
    "/etc/codex/requirements.toml",
  ]);
  expect(gemini.settingsFiles?.(on("linux"))).toEqual(["/etc/gemini-cli/settings.json"]);
  expect(qwen.settingsFiles?.(on("linux"))).toEqual(["/etc/qwen-code/settings.json"]);
});
