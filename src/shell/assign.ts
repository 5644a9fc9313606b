import { expandWhole, expandWords, type Place } from "./expand.ts";
import { isKnown, literally } from "./marks.ts";
import { copyScope, noText } from "./model.ts";
import type { Assignment } from "./parse.ts";

/** Arguments such as `A=b` of `export`: one word; arrays are applied at once. */
export function argument(place: Place, node: Assignment): string[] {
  if (node.value.type === "ArrayValue") {
    assign(place, node, null);
    return [node.name];
  }
  return expandWhole(place, node.value).map(
    (text) => `${node.name}${node.append === true ? "+" : ""}=${text}`,
  );
}

/** `([key]=value)` */
const keyed = /^[[\uE004][^\]]*\]=/;

/** Applies one assignment: to the shell, or to `prefix` when it stands in front of a command. */
export function assign(place: Place, node: Assignment, prefix: Map<string, string> | null): void {
  const vars = place.scope.vars;
  const name = vars.get(node.name)?.ref ?? node.name;
  if (node.index !== undefined) expandWhole(place, node.index);
  if (node.value.type === "ArrayValue") {
    const before = node.append === true ? (vars.get(name)?.alts ?? []) : [];
    const items = expandWords(place, node.value.elements).map((item) => item.replace(keyed, ""));
    vars.set(name, { alts: [...before, ...items], list: true });
    return;
  }
  const texts = expandWhole(place, node.value).map(literally);
  if (prefix !== null) {
    prefix.set(name, texts[0] ?? "");
    return;
  }
  noteCommands(place, name, texts[0] ?? "");
  const old = vars.get(name);
  if (node.index !== undefined) vars.set(name, { alts: [...(old?.alts ?? []), ...texts], list: true });
  else if (node.append !== true) vars.set(name, { alts: texts, list: false });
  else if (old?.list === true) vars.set(name, { alts: [...old.alts, ...texts], list: true });
  else
    vars.set(name, {
      alts: texts.flatMap((text) => (old?.alts ?? [""]).map((head) => head + text)),
      list: false,
    });
}

/** What the shell itself runs later: `PROMPT_COMMAND`, and substitutions in a prompt. */
export function noteCommands({ run, scope }: Pick<Place, "run" | "scope">, name: string, text: string): void {
  const prompt = /^(?:PS[0-4]|PROMPT|RPROMPT)$/.test(name) && /\$\(|`/.test(text);
  if ((name !== "PROMPT_COMMAND" && !prompt) || run.traps.length >= 32) return;
  run.traps.push(() => {
    const place = { run, scope: copyScope(scope), stdin: noText };
    run.calls.push(name);
    if (prompt) run.engine.substitute(place, text);
    else
      run.engine.text(
        { ...place, argv: [name], env: new Map(), wrappers: [name] },
        text,
        place.scope,
        noText,
      );
    run.calls.pop();
  });
}

/** Variables a child program sees that matter to rules: those set in this very text. */
export function withExports(
  { run, scope }: Pick<Place, "run" | "scope">,
  assigned: Map<string, string>,
): ReadonlyMap<string, string> {
  const home = scope.vars.get("HOME")?.alts[0];
  if (scope.vars.size <= scope.given && home === run.world.home) return assigned;
  const env = new Map<string, string>();
  // How rules find it.
  if (home === undefined || !isKnown(home)) env.set("unset HOME", "");
  for (const [name, value] of scope.vars) {
    if (!value.list) env.set(name, value.alts[0] ?? "");
  }
  for (const [name, text] of assigned) env.set(name, text);
  return env;
}
