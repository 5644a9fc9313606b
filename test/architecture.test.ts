import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { agentIds } from "../src/agents/ids.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/**
 * What each folder may import, by folder below `src` (longest match wins). `node` means Node's own modules,
 * anything else without a slash a package. Nothing else is allowed.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  core: [],
  paths: ["core"],
  shell: ["core", "paths", "patch", "unbash"],
  patch: ["core", "paths"],
  agents: ["core", "agents"],
  policies: ["core", "shell", "patch", "paths"],
  manifest: [
    "core",
    "paths",
    "policies/guard/commands/packs",
    "runtime/files",
    "runtime/home",
    "node",
    "yaml",
    "smol-toml",
  ],
  pipeline: ["core", "policies"],
  git: ["core", "runtime", "node"],
  journal: ["core", "runtime", "node"],
  install: [
    "core",
    "agents",
    "manifest",
    "git",
    "runtime",
    "node",
    "jsonc-parser",
    "smol-toml",
    "yaml",
    "diff",
  ],
  prove: ["core", "agents", "install", "runtime", "git", "journal", "node"],
  doctor: [
    "core",
    "agents",
    "manifest",
    "git",
    "runtime",
    "install",
    "journal",
    "pipeline",
    "policies",
    "paths",
    "shell",
    "patch",
    "prove",
    "node",
    "jsonc-parser",
    "smol-toml",
    "yaml",
  ],
  runtime: ["core", "git", "journal", "paths", "policies", "node"],
  "runtime/hook.ts": [
    "core",
    "agents",
    "git",
    "journal",
    "manifest/snapshot",
    "manifest/load",
    "pipeline",
    "policies",
    "runtime",
    "node",
  ],
  cli: [
    "core",
    "agents",
    "manifest",
    "git",
    "runtime",
    "install",
    "journal",
    "pipeline",
    "policies",
    "paths",
    "shell",
    "patch",
    "prove",
    "doctor",
    "node",
    "@clack/prompts",
    "picocolors",
    "yaml",
    "diff",
    "smol-toml",
    "jsonc-parser",
  ],
};

/** Files over the size limit. This list may only shrink. */
const oversize: readonly string[] = [];

/** Never on the hook path, whether by Node or by package. */
const cold = [
  "node:crypto",
  "node:http",
  "node:net",
  "yaml",
  "smol-toml",
  "jsonc-parser",
  "diff",
  "@clack/prompts",
  "picocolors",
];

const files = sourceFiles(join(root, "src")).map((file) =>
  relative(join(root, "src"), file).split(sep).join("/"),
);

describe("the house", () => {
  it("keeps the import directions", () => {
    expect(files.flatMap((file) => importsOf(file).flatMap((target) => forbidden(file, target)))).toEqual([]);
  });

  it("keeps the hook path light", () => {
    const reached = reach("runtime/hook.ts");
    expect([...reached].filter((target) => cold.includes(target)).sort()).toEqual([]);
    expect([...reached].filter((target) => /^(cli|install|prove|doctor)\//.test(target)).sort()).toEqual([]);
  });

  it("keeps files small: agents 200 lines, everything else 300", () => {
    const long = files.filter((file) => lines(file) > (file.startsWith("agents/") ? 200 : 300));
    expect(long.sort()).toEqual([...oversize].sort());
  });

  it("names no agent outside the agents' folders", () => {
    const own = agentIds.filter((id) => id !== "git");
    const pattern = new RegExp(`["'\`](?:${own.join("|")})["'\`]`);
    expect(files.filter((file) => !file.startsWith("agents/") && pattern.test(codeOf(file)))).toEqual([]);
  });

  it("gives each agent the same files", () => {
    for (const id of agentIds) {
      const present = files.filter((file) => file.startsWith(`agents/${id}/`));
      expect(present).toEqual(
        expect.arrayContaining(["can.ts", "index.ts", "setup.ts"].map((name) => `agents/${id}/${name}`)),
      );
    }
  });

  it("uses no vague file names", () => {
    expect(files.filter((file) => /(utils?|helpers?|manager|service|misc|common)\.ts$/.test(file))).toEqual(
      [],
    );
  });

  it("speaks of the product alone", () => {
    const everywhere = sourceFiles(root, ["node_modules", "dist", ".git", ".cache"]).filter(
      (file) => file !== fileURLToPath(import.meta.url),
    );
    const told = everywhere.filter((file) =>
      /\/work\/(main|shared)|shared\/(lab|cases|design|protocols|founding)/.test(readFileSync(file, "utf8")),
    );
    expect(told.map((file) => relative(root, file))).toEqual([]);
  });
});

/** Import targets: `folder/file.ts` below src, or a module's name. */
function importsOf(file: string, staticOnly = false): string[] {
  const code = readFileSync(join(root, "src", file), "utf8");
  const pattern = staticOnly
    ? /^(?:import|export)\s(?!type\s)[^;]*?from\s+"([^"]+)"/gm
    : /(?:^(?:import|export)\s[^;]*?from\s+|import\(\s*)"([^"]+)"/gm;
  return [...code.matchAll(pattern)].map(([, target = ""]) =>
    target.startsWith(".")
      ? relative(join(root, "src"), resolve(root, "src", dirname(file), target.replace(/\?raw$/, "")))
          .split(sep)
          .join("/")
      : target,
  );
}

function forbidden(file: string, target: string): string[] {
  const from = Object.keys(allowed)
    .filter((folder) => file === folder || file.startsWith(`${folder}/`))
    .sort((a, b) => b.length - a.length)[0];
  const may = from === undefined ? [] : (allowed[from] ?? []);
  const folder = from?.endsWith(".ts") ? dirname(from) : (from ?? "");
  const inside = target.startsWith(`${folder}/`);
  const ok =
    (inside && !crossesAgents(file, target)) ||
    may.some((name) => target === name || target.startsWith(`${name}/`) || target === `${name}.ts`) ||
    (target.startsWith("node:") && (may.includes("node") || isBridge(file)));
  return ok ? [] : [`${file} → ${target}`];
}

/** An agent's folder may use its own files and `_family`, the registries any agent. */
function crossesAgents(file: string, target: string): boolean {
  const [, from = "", ...rest] = file.split("/");
  const [, to = ""] = target.split("/");
  return file.startsWith("agents/") && rest.length > 0 && to !== from && to !== "_family";
}

/**
 * Bridges and their shared parts run inside the agent's own process; Holdfast's code never imports them, it only
 * ships their text.
 */
function isBridge(file: string): boolean {
  return /^agents\/([^/]+\/bridge|_family\/[^/]+)\.js$/.test(file);
}

function reach(entry: string): Set<string> {
  const seen = new Set<string>();
  const queue = [entry];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    if (file.endsWith(".ts")) queue.push(...importsOf(file, true));
  }
  return seen;
}

function lines(file: string): number {
  return readFileSync(join(root, "src", file), "utf8")
    .trimEnd()
    .split("\n").length;
}

function codeOf(file: string): string {
  return readFileSync(join(root, "src", file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
}

function sourceFiles(folder: string, skip: readonly string[] = []): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (skip.includes(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourceFiles(path, skip);
    return /\.(ts|mjs|cjs|js|md|json|ya?ml|sh|txt)$/.test(entry.name) ? [path] : [];
  });
}
