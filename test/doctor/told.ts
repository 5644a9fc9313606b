import { envelopeOf, type Place } from "../cli/harness.ts";

/** One thing that doctor says. */
export interface Told {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly hint: string;
  readonly line: number | null;
}

/** What doctor says about some codes, and how it ends. */
export async function toldBy(place: Place, argv: readonly string[], isMeant: (code: string) => boolean) {
  const { code, json } = await envelopeOf(place, ["doctor", ...argv]);
  return { code, findings: (json.findings as Told[]).filter((found) => isMeant(found.code)) };
}
