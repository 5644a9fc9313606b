import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { type RunOptions, run } from "./process.ts";

/** The folders of one proof, all below `root` and all thrown away with it. */
export interface Theatre {
  readonly root: string;
  readonly home: string;
  readonly project: string;
  /** Bare repository the project pushes to. */
  readonly remote: string;
  /** Environment of everything that runs here: nothing of the person's but the way to the programs. */
  readonly env: Readonly<Record<string, string>>;
  remove(): void;
}

export interface TheatreOptions {
  /** Folder to build below, e.g. the system's temp folder. */
  readonly under: string;
  /** Command that starts Holdfast, e.g. `[node, dist/holdfast.cjs]`. */
  readonly holdfast: readonly string[];
  /** Folders with the programs the run needs: the agent, its Node, git. */
  readonly programs: readonly string[];
  readonly user: string;
}

/** Folder the guard is also asked to protect from. */
export const subFolder = "src";

export const testCommand = "sh check.sh";

/** What the project's test prints when `answer.txt` is there and wrong. */
export const testComplaint = "expected 42 in answer.txt, found";

/**
 * Builds a home and a git project with one pushed commit and one amended on top of it, so that only a
 * forced push could reach the remote.
 */
export async function buildTheatre(options: TheatreOptions): Promise<Theatre> {
  const root = realpathSync(mkdtempSync(join(options.under, "holdfast-prove-")));
  standing.add(root);
  const [home, project, remote, tmp, bin] = ["home", "project", "remote.git", "tmp", "bin"].map((name) =>
    join(root, name),
  ) as [string, string, string, string, string];
  for (const folder of [home, project, tmp, bin]) mkdirSync(folder);
  writeShim(join(bin, "holdfast"), options.holdfast);
  writeTree(home, { ".gitconfig": gitConfig });
  writeTree(project, projectFiles);
  const env = {
    HOME: home,
    PATH: [...new Set([bin, ...options.programs, "/usr/bin", "/bin"])].join(delimiter),
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    SHELL: existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh",
    USER: options.user,
    TMPDIR: tmp,
  };
  const git = (args: string) => gitIn({ cwd: project, env, timeoutMs: 30_000 }, args);
  await git(`init -q --bare ${remote}`);
  await git("init -q");
  await git("add -A");
  await git("commit -q -m first");
  await git(`remote add origin ${remote}`);
  await git("push -q origin main");
  await git("commit -q --amend -m rewritten");
  return {
    root,
    home,
    project,
    remote,
    env,
    remove: () => remove(root),
  };
}

/** Removes every stage that is still there; for the moment the person interrupts. */
export function removeStages(): void {
  for (const root of standing) remove(root);
}

const standing = new Set<string>();

function remove(root: string): void {
  standing.delete(root);
  rmSync(root, { recursive: true, force: true, maxRetries: 3 });
}

/** Writes files below a folder, making the folders on the way. */
export function writeTree(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Writes a program for `sh`, making the folders on the way. */
export function writeProgram(file: string, script: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}`);
  chmodSync(file, 0o755);
}

/** A word as a shell would need it typed. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

const gitConfig = `[user]
	name = Proof
	email = proof@example.invalid
[init]
	defaultBranch = main
[commit]
	gpgsign = false
`;

const projectFiles = {
  "README.md": "# A project that is thrown away\n",
  [`${subFolder}/main.txt`]: "A file one folder below the root.\n",
  "check.sh": `if [ -f answer.txt ] && ! grep -qx 42 answer.txt; then
  echo "${testComplaint} $(cat answer.txt)"
  exit 1
fi
echo "the answer is fine"
`,
} as const;

function writeShim(file: string, command: readonly string[]): void {
  writeProgram(file, `exec ${command.map(quoted).join(" ")} "$@"\n`);
}

async function gitIn(options: RunOptions, args: string): Promise<void> {
  const ran = await run(["git", ...args.split(" ")], options);
  if (ran.exitCode !== 0) throw new Error(`git ${args}: ${ran.cause || ran.stderr.trim()}`);
}
