import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { ProblemError, problem } from "../../core/problem.ts";
import { dict, text } from "../../core/read.ts";
import { type Provenance, readBackup } from "../../install/backup.ts";
import { unifiedDiff } from "../../install/diff.ts";
import { isProblem, makeParents, readTarget, writeTarget } from "../../install/disk.ts";
import { readText } from "../../runtime/files.ts";
import { holdfastHome } from "../../runtime/home.ts";
import { type Args, done, Interrupted, no, type Outcome, type Spec } from "../command.ts";
import { diffLines, table } from "../output.ts";

export const spec: Spec = {
  usage: "restore [id]",
  options: {
    list: { type: "boolean", help: "list the backups (also without an id or a file)" },
    file: { type: "string", value: "file", help: "put back the newest backup of this file" },
    "dry-run": { type: "boolean", help: "show the difference, write nothing" },
  },
  positionals: 1,
  examples: ["holdfast restore", "holdfast restore --file .claude/settings.json"],
};

interface Backup extends Provenance {
  readonly id: string;
}

/** Lists the backups, or puts the bytes of one back where they came from. */
export async function run(args: Args): Promise<Outcome> {
  const { screen, globals } = args;
  const folder = holdfastHome(args.env, args.home);
  const backups = backupsIn(folder);
  const [id] = args.positionals;
  const { file } = args.options;
  if (args.options.list === true || (id === undefined && file === undefined)) return list(args, backups);
  const wanted = typeof file === "string" ? resolve(args.cwd, file) : null;
  const backup = backups.findLast((one) =>
    wanted === null ? one.id === id : [one.file, one.real].includes(wanted),
  );
  const bytes = backup === undefined ? null : readBackup(folder, backup.id);
  if (backup === undefined || bytes === null) {
    const message = `there is no backup ${wanted === null ? `"${id}"` : `of ${screen.path(wanted)}`}`;
    throw new ProblemError(problem("HF128", message, { hint: "holdfast restore --list" }));
  }
  const target = readTarget(backup.file);
  if (isProblem(target)) throw new ProblemError(target);
  const data = { id: backup.id, file: backup.file, when: backup.when };
  if (target.bytes?.equals(bytes)) {
    screen.print(`${screen.path(backup.file)} is the same as the backup. Nothing to do.`);
    return done(data);
  }
  for (const line of diffLines(unifiedDiff(screen.path(backup.file), target.bytes, bytes), screen.paint))
    screen.print(line);
  if (args.options["dry-run"] === true) return done(data);
  if (!globals.yes && !(await agreed(args, backup))) {
    const found = problem("HF008", "nothing was written: there is nobody to ask", {
      hint: `holdfast restore ${backup.id} --yes`,
    });
    screen.problem(found);
    return no(data, [found]);
  }
  makeParents(target.real);
  writeTarget(target.real, bytes, backup.mode);
  screen.print(`Restored ${screen.path(backup.file)} as it was on ${backup.when.slice(0, 10)}.`);
  screen.print("If Holdfast's entries were in it, they are gone with it: holdfast doctor tells.");
  return done(data);
}

function list({ screen }: Args, backups: readonly Backup[]): Outcome {
  if (backups.length === 0) screen.print("There are no backups: nothing of yours was changed.");
  const rows = backups.map(({ id, when, file }) => [
    screen.paint.bold(id),
    when.slice(0, 16).replace("T", " "),
    screen.path(file),
  ]);
  for (const line of table(rows)) screen.print(line);
  if (backups.length > 0) screen.print("\nholdfast restore <id> shows the difference and puts it back.");
  return done(backups);
}

/** Oldest first. A backup without a readable provenance is none. */
function backupsIn(folder: string): Backup[] {
  let names: string[] = [];
  try {
    names = readdirSync(join(folder, "backups"));
  } catch {
    return [];
  }
  const found = names
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => backupFrom(folder, name.slice(0, -".json".length)));
  return found.sort((a, b) => a.when.localeCompare(b.when));
}

function backupFrom(folder: string, id: string): Backup[] {
  try {
    const raw = dict(JSON.parse(readText(join(folder, "backups", `${id}.json`)) ?? ""));
    const [file, real, sha256, when] = [raw.file, raw.real, raw.sha256, raw.when].map(text);
    if (!file || !real || !sha256 || !when) return [];
    const mode = typeof raw.mode === "number" ? raw.mode : null;
    return [{ id, file, real, sha256, mode, when, version: text(raw.version) ?? "" }];
  } catch {
    return [];
  }
}

async function agreed(args: Args, { file }: Backup): Promise<boolean> {
  if (!args.interactive) return false;
  const prompts = await args.prompts();
  if (await prompts.confirm(`Write ${args.screen.path(file)}?`, true)) return true;
  throw new Interrupted("Nothing was written.");
}
