import { tmpdir } from "node:os";
import { ProblemError, problem } from "../../core/problem.ts";
import { chapters, type Demo, playDemo } from "../../prove/demo.ts";
import { onInterrupt } from "../../prove/network.ts";
import { toolFolders } from "../../prove/program.ts";
import { decisionOf, turnEnds } from "../../prove/proofs.ts";
import { self } from "../../prove/self.ts";
import { removeStages, testCommand, testComplaint } from "../../prove/stage.ts";
import { runStandIn } from "../../prove/stand-in/agent.ts";
import { type Args, done, no, type Outcome, type Screen, type Spec } from "../command.ts";

export const spec: Spec = {
  usage: "demo",
  options: {
    "stand-in": {
      type: "string",
      value: "prompt",
      help: "be the stand-in agent for one prompt (the demo calls this)",
    },
  },
  examples: ["holdfast demo"],
  positionals: 0,
};

/** One thing that happened: what was done, what came of it, and the words the agent got to read. */
interface Part {
  readonly did: string;
  readonly outcome: string;
  readonly held: boolean;
  readonly told: string;
}

/** Plays the guard's whole story with a stand-in agent, in a project that is thrown away. */
export async function run(args: Args): Promise<Outcome> {
  const prompt = args.options["stand-in"];
  if (typeof prompt === "string") return standIn(prompt, args);
  const { screen } = args;
  const started = Date.now();
  for (const line of opening) screen.print(line === opening[0] ? screen.paint.bold(line) : line);
  const undo = onInterrupt("SIGKILL", removeStages);
  const demo = await playDemo({
    under: tmpdir(),
    holdfast: self(),
    programs: toolFolders(args.env.PATH),
    user: args.env.USER || "someone",
  });
  undo();
  if ("trouble" in demo) {
    throw new ProblemError(
      problem("HF611", "the demo stopped", { cause: demo.trouble, hint: "holdfast doctor" }),
    );
  }
  const parts = partsOf(demo);
  for (const part of parts) showPart(part, screen);
  const ms = Date.now() - started;
  screen.print(
    `\n${(ms / 1000).toFixed(1)} s, and nothing is left behind. That was a stand-in; now with your own agent:`,
  );
  screen.print(`\n  ${screen.paint.bold("holdfast prove")}`);
  const data = { parts, ms };
  return parts.every((part) => part.held) ? done(data) : no(data);
}

const opening = [
  "Holdfast, shown with a stand-in agent",
  "",
  "The stand-in is a small program, not a real agent: it follows a script, calls its hooks the way Claude Code",
  "does, and obeys them. The project is thrown away afterwards. Everything below is what really happened.",
] as const;

async function standIn(prompt: string, args: Args): Promise<Outcome> {
  const env = Object.entries(args.env).filter((pair): pair is [string, string] => pair[1] !== undefined);
  args.screen.print(await runStandIn(prompt, args.cwd, Object.fromEntries(env)));
  return done();
}

function partsOf(demo: Demo): Part[] {
  return [
    installPart(demo),
    refused(demo, "the agent writes .env", "TOKEN=1", chapters.write),
    refused(demo, "the agent runs  echo MORE=2 >> .env", "MORE=2", chapters.shell),
    asked(demo),
    untouched(demo),
    sentBack(demo),
    letGo(demo),
    uninstallPart(demo),
  ];
}

function installPart({ installed }: Demo): Part {
  const names = installed.touched.map((path) => path.replace(/^(project|home)\//, ""));
  const command = installed.args.map((arg) => (arg.includes(" ") ? `"${arg}"` : arg)).join(" ");
  return {
    did: `$ holdfast ${command}`,
    outcome: names.length > 0 ? `writes ${names.join(", ")}` : "writes nothing",
    held: names.length > 0,
    told: "",
  };
}

function refused(demo: Demo, did: string, mark: string, step: number): Part {
  const text = demo.seen.files[".env"] ?? null;
  const written = text?.includes(mark) === true;
  return {
    did,
    outcome: written
      ? "not refused: it is in the file"
      : `refused: ${text === null ? "there is no .env" : "it is not in .env"}`,
    held: !written && decisionOf(demo.seen, step) === "deny",
    told: toldAfter(demo, step),
  };
}

function asked(demo: Demo): Part {
  const kept = demo.seen.remote === "first";
  return {
    did: "the agent runs  git push --force origin main",
    outcome: kept
      ? "asks you first: nobody answered here, so the remote is as it was"
      : "not asked: the remote was overwritten",
    held: kept && decisionOf(demo.seen, chapters.push) === "ask",
    told: toldAfter(demo, chapters.push),
  };
}

function untouched(demo: Demo): Part {
  const written = demo.seen.files["notes.md"] === "harmless\n";
  return {
    did: "the agent writes notes.md",
    outcome: written ? "goes through, and nothing is said" : "did not go through",
    held: written && decisionOf(demo.seen, chapters.harmless) === "allow",
    told: "",
  };
}

function sentBack(demo: Demo): Part {
  const told = toldAfter(demo, chapters.done);
  const held = turnEnds(demo.seen).includes("continue") && told.includes(testComplaint);
  return {
    did: `the agent breaks the test (${testCommand}) and says it is done`,
    outcome: held ? "sent back to work, with the output" : "was not sent back",
    held,
    told,
  };
}

function letGo({ seen }: Demo): Part {
  const held = seen.files["answer.txt"] === "42\n" && turnEnds(seen).at(-1) === "allow";
  return {
    did: "the agent repairs it and says it is done",
    outcome: held ? "the tests pass, so it may stop" : "the tests did not let it stop",
    held,
    told: "",
  };
}

function uninstallPart({ restored: { touched, different } }: Demo): Part {
  const held = touched.length > 0 && different.length === 0;
  return {
    did: "$ holdfast uninstall --yes",
    outcome: held ? "every file is as before, byte for byte" : `different: ${different.join(", ")}`,
    held,
    told: "",
  };
}

function toldAfter({ seen, theatre }: Demo, step: number): string {
  const told = seen.told(step).map(({ text }) => text);
  return told.join("\n").replaceAll(theatre.project, ".").replaceAll(theatre.home, "~").trim();
}

/** Lines of what the agent was told that are shown, from its start and its end; all of it is in `--json`. */
const shown = { head: 3, tail: 2 } as const;

function showPart({ did, outcome, held, told }: Part, { print, paint, width }: Screen): void {
  print();
  print(`  ${did}`);
  print(`    ${held ? paint.green("✓") : paint.red("✕")} ${outcome}`);
  const lines = told.split("\n").filter((line) => line.trim() !== "");
  const rows = lines.flatMap((line) => wrap(line, Math.min(width, 110) - 8));
  const long = rows.length > shown.head + shown.tail + 1;
  const kept = long ? [...rows.slice(0, shown.head), "…", ...rows.slice(-shown.tail)] : rows;
  for (const row of kept) print(paint.dim(`    │ ${row}`));
}

function wrap(line: string, room: number): string[] {
  const rows: string[] = [""];
  for (const word of line.split(" ")) {
    const row = rows.at(-1) ?? "";
    if (row !== "" && row.length + word.length >= room) rows.push(word);
    else rows[rows.length - 1] = row === "" ? word : `${row} ${word}`;
  }
  return rows;
}
