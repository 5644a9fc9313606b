import type { Seen } from "../../src/prove/perform.ts";

/** What was seen of a run, with one text per step for what tools told the model. */
export function seen(
  parts: Pick<Seen, "requests" | "files"> &
    Partial<Omit<Seen, "told">> & { readonly told: readonly string[] | Seen["told"] },
): Seen {
  const { told } = parts;
  const spoken = Array.isArray(told) ? told : [];
  return {
    ran: { exitCode: 0, timedOut: false, stdout: "", stderr: "", ms: 1, cause: "" },
    remote: "first",
    journal: [],
    ...parts,
    told: (step) => (spoken[step] === undefined ? [] : [{ kind: "tool", text: spoken[step] }]),
  };
}
