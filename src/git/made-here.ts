import { type Asking, ask } from "./ask.ts";

/** Where work began. */
export interface Start {
  /** Commit HEAD stood on; empty before the first one; null when that is not known. */
  readonly head: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A row of commits made one on top of the other, told by the trees before and after. */
export interface Stretch {
  /** Commit before the first of them; empty: nothing. */
  readonly from: string;
  readonly to: string;
}

/**
 * The commits that were made in this working tree since `start` and still count, newest row first; the first one
 * ends at HEAD, and is empty (`from` is `to`) when HEAD was not committed here. Told from what git writes down
 * about HEAD: what a merge, a pull, a rebase or a checkout brings is not made here, an amended commit counts by
 * what the amending changed, and what a reset took back does not count.
 */
export async function madeHere(asking: Asking, start: Start, head: string): Promise<Stretch[]> {
  const moves = start.head === null ? [] : await movesOf(asking);
  const rows: Stretch[] = [];
  let row: Stretch = { from: head, to: head };
  for (let i = 0; i < moves.length; i++) {
    const move = moves[i];
    if (move === undefined || isBefore(move, start)) break;
    const back = move.words.startsWith("reset:") ? sameAs(moves, i) : -1;
    if (back !== -1) i = back - 1;
    else if (isCommit.test(move.words)) row = { from: move.from, to: row.to };
    else if (move.from !== move.to) {
      rows.push(row);
      row = { from: move.from, to: move.from };
    }
  }
  return [...rows, row].filter(({ from, to }, at) => at === 0 || from !== to).slice(0, mostRows);
}

interface Move {
  readonly from: string;
  readonly to: string;
  /** Seconds since the epoch. */
  readonly at: number;
  /** E.g. `commit: Adds a file`, `reset: moving to HEAD~1`. */
  readonly words: string;
}

const mostMoves = 1_000;
const mostRows = 20;

/** A merge's commit holds what others made. */
const isCommit = /^commit(?: \((?:initial|amend)\))?:/;

/** Newest first. Empty where git keeps no record. */
async function movesOf(asking: Asking): Promise<Move[]> {
  const args = ["log", "-g", "--date=unix", `--max-count=${mostMoves}`, "--format=%H %gd %gs", "HEAD", "--"];
  const answer = await ask(asking, args);
  if (!answer.ok) return [];
  const found = [...answer.out.toString("utf8").matchAll(/^([0-9a-f]+) \S*@\{(\d+)\} (.*)$/gm)];
  return found.flatMap(([, to = "", at, words = ""], i) => {
    const from = found[i + 1]?.[1] ?? (words.startsWith("commit (initial)") ? "" : null);
    return from === null ? [] : [{ from, to, at: Number(at), words }];
  });
}

/** Git writes down whole seconds. A reset to where work began takes back all of it. */
function isBefore(move: Move, start: Start): boolean {
  const second = Math.floor(start.at / 1000);
  const isReset = move.words.startsWith("reset:");
  return move.at < second || (move.to === start.head && (isReset || move.at === second));
}

/** An earlier move to the commit that HEAD was set back to: all between has been undone. */
function sameAs(moves: readonly Move[], at: number): number {
  return moves.findIndex((move, i) => i > at && move.to === moves[at]?.to);
}
