/** Does the result of a tool call say that a hook stopped it? Results are texts, or lists of parts with texts. */
export function isStopped(result: unknown): boolean {
  const said = typeof result === "string" ? result : JSON.stringify(result ?? "");
  return /PreToolUse\S* hook|holdfast allow \w{5}|\(#\w{5}\)/.test(said);
}
