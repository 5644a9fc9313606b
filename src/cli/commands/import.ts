import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Problem, ProblemError, problem } from "../../core/problem.ts";
import { unifiedDiff } from "../../install/diff.ts";
import { editManifest } from "../../manifest/edit.ts";
import { type Imported, importReflex } from "../../manifest/import-reflex.ts";
import { userManifest } from "../../manifest/snapshot.ts";
import { readText, writeAtomic } from "../../runtime/files.ts";
import { type Args, done, Interrupted, no, type Outcome, type Spec } from "../command.ts";
import { diffLines } from "../output.ts";
import { situationOf } from "../situation.ts";

export const spec: Spec = {
  usage: "import [file]",
  options: { "dry-run": { type: "boolean", help: "show what would be written, write nothing" } },
  positionals: 1,
  examples: ["holdfast import", "holdfast import old/.reflex.toml --dry-run"],
};

/** Where an import reads from and writes to, absolute. */
interface Way {
  readonly from: string;
  readonly to: string;
}

/** Turns a `.reflex.toml` into `holdfast.yaml`, or sets its values in the one that is there. */
export async function run(args: Args): Promise<Outcome> {
  const { screen, globals } = args;
  const way = await wayOf(args);
  const imported = importReflex(readText(way.from) ?? "", way.from);
  for (const found of imported.problems) screen.problem(found);
  const [first] = imported.problems;
  if (imported.text === null) throw new ProblemError(first ?? problem("HF301", "the file does not parse"));
  const before = existsSync(way.to) ? readFileSync(way.to) : null;
  const edited = editManifest(before?.toString("utf8") ?? null, imported.answers, way.to);
  if (edited.problem !== null) throw new ProblemError(edited.problem);
  const diff = before?.equals(Buffer.from(edited.text))
    ? ""
    : unifiedDiff(screen.path(way.to), before, Buffer.from(edited.text));
  const data = { from: way.from, to: way.to, diff, install: installCommand(imported) };
  if (diff === "") {
    screen.print(`${screen.path(way.to)} says the same already. Nothing to do.`);
    return done(data, imported.problems);
  }
  for (const line of diffLines(diff, screen.paint)) screen.print(line);
  if (args.options["dry-run"] === true) return done(data, imported.problems);
  if (!globals.yes && !(await agreed(args, way))) return refused(args, data, imported.problems);
  mkdirSync(dirname(way.to), { recursive: true });
  writeAtomic(way.to, edited.text);
  screen.print(
    `Written: ${screen.path(way.to)}. ${screen.path(way.from)} is left as it is; Holdfast does not read it.`,
  );
  screen.print(`Next: ${data.install}`);
  return done(data, imported.problems);
}

async function wayOf(args: Args): Promise<Way> {
  const { cwd, home, env } = args;
  const { root } = await situationOf(args);
  const project = root ?? cwd;
  const personal = join(dirname(dirname(userManifest(env, home))), "reflex", "reflex.toml");
  const [given] = args.positionals;
  const candidates =
    given === undefined
      ? [join(cwd, ".reflex.toml"), join(project, ".reflex.toml"), personal]
      : [resolve(cwd, given)];
  const from = candidates.find((file) => existsSync(file));
  if (from === undefined) {
    const message = given === undefined ? "there is no .reflex.toml here" : `there is no file ${given}`;
    throw new ProblemError(problem("HF007", message, { hint: "holdfast import path/to/.reflex.toml" }));
  }
  if (args.globals.config !== null) return { from, to: args.globals.config };
  return {
    from,
    to:
      from === personal
        ? userManifest(env, home)
        : join(given === undefined ? dirname(from) : project, "holdfast.yaml"),
  };
}

async function agreed(args: Args, { to }: Way): Promise<boolean> {
  if (!args.interactive) return false;
  const prompts = await args.prompts();
  if (await prompts.confirm(`Write ${args.screen.path(to)}?`, true)) return true;
  throw new Interrupted("Nothing was written.");
}

function refused({ screen }: Args, data: unknown, problems: readonly Problem[]): Outcome {
  const found = problem("HF008", "nothing was written: there is nobody to ask", {
    hint: "holdfast import --yes",
  });
  screen.problem(found);
  return no(data, [...problems, found]);
}

function installCommand({ agents, scope }: Imported): string {
  const named = agents.length === 0 ? "" : ` --agent ${agents.join(",")}`;
  return `holdfast install${named}${scope === null ? "" : ` --scope ${scope}`}`;
}
