import { spawn } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const source = join(dirname(fileURLToPath(import.meta.url)), "../..");

export interface Ran {
  readonly code: number | null;
  /** Stdout and stderr, in the order they came. */
  readonly output: string;
}

/** A copy of this checkout, uncommitted work included, that may be changed. */
export interface Checkout {
  /** Runs a script with `sh` in the copy's root; a failing command ends it. */
  run(script: string, signal: AbortSignal): Promise<Ran>;
  put(path: string, text: string): void;
  remove(): void;
}

/** Copies the checkout into a temp folder, with a home, a temp folder and the program `acme` of its own. */
export async function copyCheckout(): Promise<Checkout> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-checkout-")));
  const [root, home, tmp, bin] = ["checkout", "home", "tmp", "bin"].map((name) => join(base, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const folder of [home, tmp, bin]) mkdirSync(folder);
  // Times are kept, because the lock's tells whether it is newer than what is installed.
  cpSync(source, root, { recursive: true, preserveTimestamps: true, filter: isSource });
  symlinkSync(realpathSync(join(source, "node_modules")), join(root, "node_modules"));
  const acme = join(bin, "acme");
  copyFileSync(join(source, "test/new-agent/acme.mjs"), `${acme}.mjs`);
  writeFileSync(acme, `#!/bin/sh\nexec '${process.execPath}' '${acme}.mjs' "$@"\n`);
  chmodSync(acme, 0o755);
  const env = {
    HOME: home,
    TMPDIR: tmp,
    PATH: [bin, dirname(process.execPath), process.env.PATH].join(delimiter),
    LANG: "C.UTF-8",
    NO_COLOR: "1",
    npm_config_update_notifier: "false",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "A",
    GIT_AUTHOR_EMAIL: "a@example.org",
    GIT_COMMITTER_NAME: "A",
    GIT_COMMITTER_EMAIL: "a@example.org",
  };
  const checkout: Checkout = {
    run: (script, signal) => runScript(script, root, env, signal),
    put: (path, text) => writeFileSync(join(root, path), text),
    remove: () => rmSync(base, { recursive: true, force: true, maxRetries: 3 }),
  };
  await checkout.run("git init -q .", new AbortController().signal);
  appendFileSync(join(root, ".git/info/exclude"), "node_modules\n");
  return checkout;
}

/** What is installed, built or of git's is left out. */
function isSource(path: string): boolean {
  const [top = ""] = relative(source, path).split("/");
  return !["node_modules", "dist", ".git", ".cache", ".holdfast", "coverage"].includes(top);
}

function runScript(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    // A group of its own, so that everything it started ends with it.
    const child = spawn("/bin/sh", ["-euc", `exec 2>&1\n${script}`], {
      cwd,
      env,
      stdio: ["ignore", "pipe", "inherit"],
      detached: true,
    });
    const end = () => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
    };
    signal.addEventListener("abort", end, { once: true });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      signal.removeEventListener("abort", end);
      resolve({ code, output });
    });
  });
}
