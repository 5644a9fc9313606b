import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Problem, problem } from "../core/problem.ts";
import type { FilePlan } from "../core/setup.ts";
import { backupId, sha256 } from "./backup.ts";
import type { Target } from "./disk.ts";
import { ownershipOf, stampText } from "./edit/own-file.ts";
import type { Edit, LedgerFile, Owner } from "./ledger.ts";
import type { FileOutcome, InstallRequest, PlanItem } from "./plan.ts";
import { addOwner } from "./plan-spans.ts";
import type { Move, Step } from "./transaction.ts";

type ManagedPlan = Extract<FilePlan, { kind: "own-file" | "hook-script" }>;
type TextPlan = Extract<FilePlan, { kind: "text" }>;

/** Plans a file whose whole text is given: one of ours, a git hook, or the person's manifest. */
export function planWhole(
  items: readonly PlanItem[],
  target: Target,
  prior: LedgerFile | null,
  request: InstallRequest,
): FileOutcome {
  const plan = items[0]?.plan;
  const conflict = items.some((item) => JSON.stringify(item.plan) !== JSON.stringify(plan));
  if (plan === undefined || conflict) {
    const message = "two agents want different texts in this file";
    return refuse(problem("HF114", message, { where: { file: target.file } }));
  }
  const context = { items, target, prior, request };
  if (plan.kind === "text") return planText(plan, context);
  if (plan.kind === "own-file" || plan.kind === "hook-script") return planManaged(plan, context);
  return refuse(problem("HF114", `unexpected plan ${plan.kind}`, { where: { file: target.file } }));
}

interface Context {
  readonly items: readonly PlanItem[];
  readonly target: Target;
  readonly prior: LedgerFile | null;
  readonly request: InstallRequest;
}

function planManaged(plan: ManagedPlan, context: Context): FileOutcome {
  const { target, request } = context;
  const after = Buffer.from(stampText(plan.text));
  const now = target.bytes;
  if (now === null) return change(plan, context, { after, keep: null, aside: null });
  const sameMode =
    request.machine.platform === "win32" || ((target.mode ?? 0) & 0o111) === (plan.mode & 0o111);
  if (now.equals(after) && sameMode) return unchanged(context);
  const ownership = ownershipOf(now.toString("utf8"));
  if (ownership === "ours") return change(plan, context, { after, keep: null, aside: null });
  if (ownership === "edited") {
    const agreed = request.overwrite?.has(plan.file) === true;
    return agreed
      ? change(plan, context, { after, keep: now, aside: null })
      : refuse(editedByHand(plan.file));
  }
  if (plan.kind === "own-file") return refuse(foreignFile(plan.file));
  if (isThere(plan.chained)) return refuse(bothTaken(plan.file, plan.chained));
  const real = join(realpathSync(dirname(plan.file)), basename(plan.file));
  const aside = { from: real, to: join(dirname(real), basename(plan.chained)) };
  return change(plan, context, { after, keep: now, aside });
}

/** The person's own file, edited by the wizard: written only on top of the text it was made from. */
function planText(plan: TextPlan, context: Context): FileOutcome {
  const now = context.target.bytes;
  const after = Buffer.from(plan.text);
  if (now?.equals(after) === true) return unchanged(context);
  const expected = now === null ? plan.expect === null : plan.expect === now.toString("utf8");
  if (!expected) {
    return refuse(
      problem("HF120", "the file changed while the new text was made, so nothing is written", {
        hint: "run the command again",
        where: { file: plan.file },
      }),
    );
  }
  return change(plan, context, { after, keep: now, aside: null });
}

interface Parts {
  readonly after: Buffer;
  readonly keep: Buffer | null;
  readonly aside: Move | null;
}

function change(plan: ManagedPlan | TextPlan, context: Context, parts: Parts): FileOutcome {
  const { items, target, prior, request } = context;
  const { after, aside } = parts;
  const real = aside?.from ?? target.real;
  const isOurs = prior !== null && target.bytes !== null && sha256(target.bytes) === prior.after;
  const keep = plan.kind === "text" && isOurs ? null : parts.keep;
  const mode = plan.kind === "text" ? null : plan.mode;
  const step: Step = { file: target.file, real, before: target.bytes, after, mode, aside, back: null };
  const owners = ownersOf(context);
  const edit = editOf(plan, prior, aside);
  const record = {
    file: target.file,
    real,
    root: items[0]?.root ?? null,
    home: request.machine.home,
    before: beforeOf(plan, context, isOurs),
    after: sha256(after),
    spans: [],
    edits: [{ ...edit, owners }],
    mode: target.mode,
  };
  const note =
    aside === null
      ? ""
      : `Your ${basename(aside.from)} is kept as ${basename(aside.to)} and still runs, first.`;
  return { kind: "change", change: { file: target.file, owners, step, record, keep, note }, warnings: [] };
}

/** Nothing to write. A file the ledger knows may still have won another owner. */
function unchanged(context: Context): FileOutcome {
  const { prior, target } = context;
  const owners = ownersOf(context);
  const known = prior?.edits[0];
  if (prior === null || known === undefined || owners.length === known.owners.length) {
    return { kind: "same", warnings: [] };
  }
  const record = { ...prior, edits: [{ ...known, owners }] };
  const change = { file: target.file, owners, step: null, record, keep: null, note: "" };
  return { kind: "change", change, warnings: [] };
}

function ownersOf({ items, prior }: Context): readonly Owner[] {
  const known = prior?.edits[0]?.owners ?? [];
  return items.reduce<readonly Owner[]>((owners, item) => addOwner(owners, item.owner), known);
}

function beforeOf(
  plan: ManagedPlan | TextPlan,
  { target, prior }: Context,
  isOurs: boolean,
): LedgerFile["before"] {
  if (plan.kind !== "text" || target.bytes === null) return null;
  if (isOurs) return prior?.before ?? null;
  const sha = sha256(target.bytes);
  return { sha256: sha, backup: backupId(target.real, sha) };
}

function editOf(plan: ManagedPlan | TextPlan, prior: LedgerFile | null, aside: Move | null): Edit {
  if (plan.kind !== "hook-script") return { kind: plan.kind };
  const known = prior?.edits.find((edit) => edit.kind === "hook-script");
  // Without a ledger a chained script can only be there because it was moved: then uninstall brings it back.
  const moved = aside !== null || (known === undefined ? isThere(plan.chained) : known.moved);
  return { kind: "hook-script", chained: plan.chained, moved };
}

function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

function refuse(found: Problem): FileOutcome {
  return { kind: "refused", problem: found };
}

function editedByHand(file: string): Problem {
  return problem("HF102", "this file of ours was edited by hand, so it is not overwritten", {
    hint: "move your changes elsewhere and delete it, or agree to replace it: a backup is kept",
    where: { file },
    fixable: true,
  });
}

function foreignFile(file: string): Problem {
  return problem("HF114", "a file that is not ours stands where ours belongs, so it is left alone", {
    hint: "move it away, then run the command again",
    where: { file },
  });
}

function bothTaken(file: string, chained: string): Problem {
  return problem(
    "HF124",
    `there is a hook already, and its name as a chained hook, ${basename(chained)}, is taken too`,
    {
      hint: `merge ${basename(file)} and ${basename(chained)}, then run the command again`,
      where: { file },
    },
  );
}
