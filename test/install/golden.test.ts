import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { setup as claudeCode } from "../../src/agents/claude-code/setup.ts";
import { setup as codex } from "../../src/agents/codex/setup.ts";
import { setup as cursor } from "../../src/agents/cursor/setup.ts";
import { setup as git } from "../../src/agents/git/setup.ts";
import type { Machine } from "../../src/core/setup.ts";
import { itemsFor, type PlanItem } from "../../src/install/plan.ts";
import { projectItems } from "../../src/install/project.ts";
import {
  createPlace,
  install,
  items,
  type Place,
  picture,
  plan,
  put,
  settingsPlans,
  tomlPlans,
  uninstall,
  yamlPlans,
} from "./support/place.ts";

const golden = join(dirname(fileURLToPath(import.meta.url)), "..", "golden");
const places: Place[] = [];
afterEach(() => {
  for (const place of places.splice(0)) rmSync(dirname(place.root), { recursive: true, force: true });
});

/** Where the file of a format lies in a project, and what is installed into it. */
interface Format {
  readonly folder: string;
  file(place: Place): string;
  items(place: Place): PlanItem[];
  readonly mode: number;
}

const formats: readonly Format[] = [
  {
    folder: "claude-settings",
    file: ({ root }) => join(root, ".claude", "settings.json"),
    items: ({ site }) => itemsFor([{ setup: claudeCode, scope: "project" }], site.machine),
    mode: 0o600,
  },
  {
    folder: "codex-hooks",
    file: ({ root }) => join(root, ".codex", "hooks.json"),
    items: ({ site }) => itemsFor([{ setup: codex, scope: "project" }], site.machine),
    mode: 0o644,
  },
  {
    folder: "cursor-hooks",
    file: ({ root }) => join(root, ".cursor", "hooks.json"),
    items: ({ site }) => itemsFor([{ setup: cursor, scope: "project" }], site.machine),
    mode: 0o644,
  },
  {
    folder: "jsonc",
    file: ({ root }) => join(root, "agent.jsonc"),
    items: (place) => items(place, settingsPlans(join(place.root, "agent.jsonc"))),
    mode: 0o664,
  },
  {
    folder: "toml-list",
    file: ({ root }) => join(root, "config.toml"),
    items: (place) => items(place, tomlPlans(join(place.root, "config.toml"))),
    mode: 0o600,
  },
  {
    folder: "yaml-list",
    file: ({ root }) => join(root, "config.yaml"),
    items: (place) => items(place, yamlPlans(join(place.root, "config.yaml"))),
    mode: 0o600,
  },
  {
    folder: "gitignore",
    file: ({ root }) => join(root, ".gitignore"),
    items: ({ root }) => projectItems(root, "project").filter(({ plan }) => plan.kind === "lines"),
    mode: 0o644,
  },
  {
    folder: "git-hook",
    file: ({ root }) => join(root, "hooks", "pre-commit"),
    items: (place) => itemsFor([{ setup: git, scope: "project" }], gitMachine(place)),
    mode: 0o755,
  },
];

describe.each(formats)("$folder", (format) => {
  it.each(casesOf(format.folder))("%s: written as recorded, taken out to the byte", (name) => {
    const { place, file, before } = stage(format, name);
    install(place, format.items(place));
    expect(recorded(format.folder, name, readFileSync(file))).toBe(true);
    expect(plan(place, format.items(place)).changes).toEqual([]);
    const { removals, refused } = uninstall(place);
    expect(refused).toEqual([]);
    expect(removals.map(({ level }) => level)).toEqual(before.changed ? ["exact"] : []);
    expect(picture(place.root)).toEqual(before.picture);
  });

  it.each(casesOf(format.folder))("%s: taken out without the ledger leaves nothing of ours", (name) => {
    const { place, file } = stage(format, name);
    install(place, format.items(place));
    rmSync(place.site.holdfastHome, { recursive: true });
    uninstall(place, format.items(place));
    expect(readFileSync(file, "latin1")).not.toMatch(
      format.folder === "gitignore" ? /^\.holdfast\/$/m : /holdfast/,
    );
    expect(plan(place, format.items(place)).refused).toEqual([]);
  });
});

/** Why each file is refused: code, line, column and words. */
const refusals: Readonly<Record<string, readonly [string, number | null, number | null, RegExp]>> = {
  "unclosed-object.json": ["HF104", 4, 1, /does not parse \(close brace expected\)/],
  "missing-comma.json": ["HF104", 3, 3, /does not parse \(comma expected\)/],
  "merge-conflict.json": ["HF104", 2, 1, /does not parse \(invalid symbol\)/],
  "single-quotes.json": ["HF104", 1, 3, /does not parse \(invalid symbol\)/],
  "two-values.json": ["HF104", 2, 1, /does not parse \(end of file expected\)/],
  "top-level-list.json": ["HF110", 1, 1, /the file's value is an array where an object belongs/],
  "top-level-string.json": ["HF110", 1, 1, /the file's value is a string where an object belongs/],
  "hooks-is-list.json": ["HF110", 2, 12, /hooks is an array where an object belongs/],
  "hooks-is-null.json": ["HF110", 1, 29, /hooks is null where an object belongs/],
  "hooks-is-false.json": ["HF110", 2, 11, /hooks is a boolean where an object belongs/],
  "event-is-object.json": ["HF110", 3, 19, /hooks\.PreToolUse is an object where an array belongs/],
  "event-is-string.json": ["HF110", 3, 19, /hooks\.PreToolUse is a string where an array belongs/],
  "second-event-is-wrong.json": ["HF110", 4, 13, /hooks\.Stop is a number where an array belongs/],
  "latin1.json": ["HF113", null, null, /not UTF-8/],
  "utf16.json": ["HF113", null, null, /not UTF-8/],
  "nul-bytes.json": ["HF104", 2, 1, /does not parse/],
  "unclosed-comment.json": ["HF104", 1, 21, /does not parse \(unexpected end of comment\)/],
  "nested-too-deeply.json": ["HF104", 1, 1, /does not parse \(nested too deeply\)/],
};

describe("refused", () => {
  it("has words for every file", () => {
    expect(casesOf("refused")).toEqual(Object.keys(refusals).sort());
  });

  it.each(Object.keys(refusals))("%s", (name) => {
    const [code, line, column, words] = refusals[name] ?? ["", null, null, /^$/];
    const format = formats[0] as Format;
    const { place, file, before } = stage({ ...format, folder: "refused" }, name);
    const made = plan(place, format.items(place));
    expect(made.changes).toEqual([]);
    expect(made.refused.map((found) => [found.code, found.where])).toEqual([
      [code, { file, agent: "claude-code", ...(line === null ? {} : { line, column }) }],
    ]);
    expect(made.refused[0]?.message).toMatch(words);
    expect(made.refused[0]?.hint).not.toBe("");
    expect(picture(place.root)).toEqual(before.picture);
  });
});

function casesOf(folder: string): string[] {
  return readdirSync(join(golden, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort();
}

function stage(format: Format, name: string) {
  const place = createPlace();
  places.push(place);
  const file = put(format.file(place), readFileSync(join(golden, format.folder, name)), format.mode);
  const changed = plan(place, format.items(place)).changes.length > 0;
  return { place, file, before: { picture: picture(place.root), changed } };
}

/** Compares with `after/<name>`; `UPDATE_GOLDEN=1` writes it anew, for a reviewer to look at. */
function recorded(folder: string, name: string, now: Buffer): boolean {
  const after = join(golden, folder, "after", name);
  if (process.env.UPDATE_GOLDEN === "1") {
    mkdirSync(dirname(after), { recursive: true });
    writeFileSync(after, now);
  }
  return existsSync(after) && readFileSync(after).equals(now);
}

function gitMachine({ root, site }: Place): Machine {
  return { ...site.machine, gitHooks: { dir: join(root, "hooks"), insideTree: false } };
}
