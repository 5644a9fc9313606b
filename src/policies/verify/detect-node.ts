import { dict, firstText, text } from "../../core/read.ts";
import type { Folder, Found } from "./detect-tests.ts";

/** `package.json`: its test script, run by the package manager the project is made for. */
export function detectNode(folder: Folder): Found | null {
  const from = "package.json";
  if (!folder.has(from)) return null;
  const manifest = dict(parse(folder.text(from)));
  const manager = managerOf(folder, manifest);
  const script = text(dict(manifest.scripts).test)?.trim() ?? "";
  if (script === "" || isPlaceholder(script)) {
    return manager === "bun" && hasBunTests(folder) ? { command: "bun test", from, note: "" } : null;
  }
  const run = manager === "bun" ? "bun run test" : `${manager} test`;
  if (/\bng\s+test\b/.test(script)) return { command: `${run} -- --watch=false`, from, note: "" };
  const watcher = watcherIn(script);
  if (watcher === null) return { command: run, from, note: "" };
  const note = `the test script in package.json does not end by itself (\`${watcher}\`); set tests.command`;
  return { command: null, from, note };
}

type Manager = "npm" | "pnpm" | "yarn" | "bun";

const locks: readonly (readonly [string, Manager])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"],
];

function managerOf(folder: Folder, manifest: Readonly<Record<string, unknown>>): Manager {
  const atRoot = dict(parse(folder.files.readText(`${folder.root}/package.json`) ?? ""));
  for (const { packageManager, devEngines } of [manifest, atRoot]) {
    const named = text(packageManager) ?? firstText(dict(dict(devEngines).packageManager), ["name"]) ?? "";
    const manager = /^(npm|pnpm|yarn|bun)\b/.exec(named)?.[1];
    if (manager !== undefined) return manager as Manager;
  }
  for (const dir of [folder.dir, folder.root]) {
    const lock = locks.find(([name]) => folder.files.exists(`${dir}/${name}`));
    if (lock !== undefined) return lock[1];
  }
  return "npm";
}

/** What `npm init` writes: `echo "Error: no test specified" && exit 1`. */
function isPlaceholder(script: string): boolean {
  return /\bno tests? (specified|yet)\b/i.test(script);
}

/** The part of a script that would wait for changes even with `CI` set. */
function watcherIn(script: string): string | null {
  const found =
    /\b(nodemon|tsx watch|vitest watch|node --watch|jest [^&|;]*--watch(All)?|\S+ --watch(All)?)(?=\s|$)/;
  return found.exec(script)?.[0] ?? null;
}

function hasBunTests({ files, dir }: Folder): boolean {
  const looksLikeTest = (name: string) => /[._](test|spec)\.[cm]?[jt]sx?$/.test(name);
  return ["", "/test", "/tests", "/src"].some((below) => files.list(`${dir}${below}`).some(looksLikeTest));
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
