import { type Asking, ask, fields } from "./ask.ts";

/** Lines that one file gained and lost. */
export interface FileLines {
  /** Relative to the root, as bytes. */
  readonly name: Buffer;
  readonly lines: number;
}

/**
 * Those of the files that no person reads: what git's attributes call generated (`linguist-generated`,
 * `gitlab-generated`) or no text (`binary`, `-diff`), and lock files by their names. An attribute that says the
 * contrary (`-linguist-generated`) wins.
 */
export async function generatedAmong(
  asking: Asking,
  files: readonly FileLines[],
): Promise<ReadonlySet<FileLines>> {
  const largest = [...files].sort((a, b) => b.lines - a.lines).slice(0, mostAsked);
  const names = largest.map(({ name }) => name.toString("utf8"));
  const answer = await ask(asking, ["check-attr", "-z", ...attributes, "--", ...names]);
  // Path, attribute, value; for each path the attributes in the order asked for.
  const values = answer.ok ? fields(answer.out).filter((_field, at) => at % 3 === 2) : [];
  const found = new Set(files.filter(({ name }) => isLock(name.toString("latin1"))));
  for (const [at, file] of largest.entries()) {
    const said = attributes.map((_name, i) => values[at * attributes.length + i]?.toString("latin1") ?? "");
    const generated = said.slice(0, 2);
    if (generated.some((value) => no.includes(value))) found.delete(file);
    if (generated.some((value) => yes.includes(value)) || said[2] === "unset") found.add(file);
  }
  return found;
}

/** Names given to one git process: a command line has an end. */
const mostAsked = 2_000;

const attributes = ["linguist-generated", "gitlab-generated", "diff"];
const yes = ["set", "true"];
const no = ["unset", "false"];

/** What package managers write to pin versions. */
function isLock(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name.endsWith(".lock") || lockNames.has(name);
}

const lockNames: ReadonlySet<string> = new Set([
  "package-lock.json",
  "npm-shrinkwrap.json",
  "pnpm-lock.yaml",
  "bun.lockb",
  "go.sum",
  "go.work.sum",
  "Package.resolved",
  "Cartfile.resolved",
  "packages.lock.json",
  "gradle.lockfile",
  "cabal.project.freeze",
  "conda-lock.yml",
  ".terraform.lock.hcl",
  "gems.locked",
]);
