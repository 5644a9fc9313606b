// The part every bridge shares: asks Holdfast's program and never lets anything of ours out. It is shipped as
// text in front of a bridge (see bridge-text.ts) and imports nothing but Node's own modules.
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

export const preToolMs = 10_000;
export const turnEndMs = 600_000;

export const allow = { decision: "allow", reason: "", context: [], messages: [], rewrite: null };

export const askThePerson =
  "There is nobody to confirm this here. Do not try another spelling: tell the person what you wanted to run and why, and let them run it themselves if they agree.";

// Never rejects: whatever goes wrong between here and Holdfast lets the call through and leaves a note.
export function ask(agent, event, payload, deadline, cwd) {
  return new Promise((resolve) => {
    let out = "";
    let timer;
    const done = (verdict, why) => {
      clearTimeout(timer);
      if (why) note(agent, `${event}: ${why}`);
      resolve(verdict);
    };
    try {
      const child = spawn(program(), ["hook", agent, event], {
        cwd: existsSync(cwd) ? cwd : homedir(),
        stdio: ["pipe", "pipe", "ignore"],
        shell: process.platform === "win32",
      });
      timer = setTimeout(() => {
        child.kill("SIGKILL");
        done(allow, `no answer in ${deadline} ms`);
      }, deadline);
      child.on("error", (error) => done(allow, String(error)));
      child.stdin.on("error", () => {});
      child.stdout.on("data", (chunk) => {
        out += chunk;
      });
      child.on("close", () => {
        try {
          done(out.trim() === "" ? allow : { ...allow, ...JSON.parse(out) });
        } catch {
          done(allow, "the answer was not JSON");
        }
      });
      child.stdin.end(payload);
    } catch (error) {
      done(allow, String(error));
    }
  });
}

export function program() {
  const launcher = join(home(), "bin", process.platform === "win32" ? "holdfast.cmd" : "holdfast");
  return existsSync(launcher) ? launcher : "holdfast";
}

export function home() {
  return process.env.HOLDFAST_HOME || join(homedir(), ".holdfast");
}

// A clone may bring the bridge to somebody who has no Holdfast: nothing is made in that home.
export function note(agent, text) {
  try {
    if (!existsSync(home())) return;
    const line = JSON.stringify({ at: new Date().toISOString(), agent, text, cwd: process.cwd() });
    appendFileSync(join(home(), "breadcrumbs.log"), `${line}\n`, { mode: 0o600 });
  } catch {
    // A note that cannot be written must not stop the agent.
  }
}

// A sign of life at every start: hosts drop a plugin that does not load without a word, and only the absence
// of this file, or its age, tells.
export function sign(name) {
  try {
    if (!existsSync(home())) return;
    const folder = join(home(), "alive");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const text = JSON.stringify({ at: new Date().toISOString(), node: process.version });
    writeFileSync(join(folder, name), `${text}\n`, { mode: 0o600 });
  } catch {
    // As above.
  }
}
