import type { Token } from "./lex.ts";
import type { Names, Round } from "./values.ts";

/** Adds to the texts that a name may stand for. */
export function learn(names: Names, name: string, texts: readonly string[]): void {
  if (texts.length === 0) return;
  const before = names.texts.get(name) ?? [];
  names.texts.set(name, [...new Set([...before, ...texts])].slice(0, 16));
}

/** Rounds of one name that are followed. */
const mostRounds = 16;

/** Notes what names stand for in one pass of a loop, or in one call of a function. */
export function noteRound(names: Names, round: Round): void {
  for (const name of round.keys()) {
    const known = names.rounds.get(name) ?? [];
    if (known.length < mostRounds) names.rounds.set(name, [...known, round]);
  }
}

/** The names as they stand in each round of the loop or function that the tokens are part of. */
export function byRound(tokens: readonly Token[], names: Names): readonly Names[] {
  const rounds = tokens
    .map((token) => (token.kind === "name" ? roundsOf(token.text, names) : undefined))
    .find((found) => found !== undefined);
  if (rounds === undefined || rounds.length < 2) return [names];
  return rounds.map((round) => ({ ...names, texts: new Map([...names.texts, ...round]) }));
}

function roundsOf(name: string, names: Names): readonly Round[] | undefined {
  return names.rounds.get(name) ?? names.rounds.get(name.split(".")[0] ?? "");
}
