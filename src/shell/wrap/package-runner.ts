import { type Call, copyScope, type Stream } from "../model.ts";
import { optionValue, readOptions } from "../options.ts";
import { absolute } from "../place.ts";
import { inside } from "./inside.ts";

/** Words that yarn, pnpm and bun keep for themselves; any other first word may be a program of the project. */
const ownWords = new Set(
  "add install i ci remove rm uninstall un unlink link publish unpublish pack init version run run-script test start build dev create why list ls la ll outdated update up upgrade audit config cache info import dedupe patch patch-commit store prune rebuild setup env login logout whoami npm set plugin global tag owner team deploy fetch recursive root bin docs help pm completions view search x c dist-tag deprecate access stage constraints licenses server approve-builds self-update pkg set-script".split(
    " ",
  ),
);

/** `yarn prisma …`, `pnpm exec …`, `bun x …`: programs and scripts of the project. */
export function packageRunner(call: Call): Stream | null {
  if (call.argv[0] === "bun" && /^(?:-e|--eval|-p|--print)$/.test(call.argv[1] ?? "")) return null;
  const parsed = readOptions(call.argv.slice(1), "CF filter dir cwd prefix", true);
  const folder = optionValue(parsed, "-C", "--dir", "--cwd", "--prefix");
  const scope =
    folder === null ? call.scope : copyScope(call.scope, { cwd: absolute(call.scope.cwd, folder) });
  let words = parsed.operands;
  if (words[0] === "workspace") words = words.slice(2);
  if (words[0] === "workspaces" && words[1] === "foreach")
    return call.run.engine.inner(call, [
      "yarn",
      ...readOptions(words.slice(2), "j jobs from include exclude", true).operands,
    ]);
  if (words[0] === "pm" && words[1] === "pkg")
    return call.run.engine.inner(call, ["npm", ...words.slice(1)], { scope });
  // What is no script of the project is looked for among the programs.
  const script = /^run(?:-script)?$/.test(words[0] ?? "")
    ? readOptions(words.slice(1), "-", true).operands
    : [];
  if (script.length > 1) return call.run.engine.inner(call, script, { scope });
  const runs = words[0] === "exec" || words[0] === "dlx" || (words[0] === "x" && call.argv[0] === "bun");
  if (runs) words = readOptions(words.slice(1), "pc package shell-mode", true).operands;
  if (words[0] === "--") words = words.slice(1);
  if (words.length === 0 || (!runs && ownWords.has(words[0] ?? ""))) return null;
  if (words.length === 1 && words[0]?.includes(" ") === true)
    return inside(call, call.argv[0] ?? "", words[0], scope);
  return call.run.engine.inner(call, words, { scope });
}

/** `npm run prisma -- migrate reset`: a script that is given words is most likely the program of its name. */
export function npmScript(call: Call): Stream | null {
  const options = "wC workspace prefix loglevel";
  const [verb = "", ...after] = readOptions(call.argv.slice(1), options, true).operands;
  if (!/^(?:run|run-script|rum|urn)$/.test(verb)) return null;
  const [script, ...rest] = readOptions(after, options, true).operands;
  const words = rest.slice(rest.indexOf("--") + 1);
  if (script === undefined || words.length === 0) return null;
  return call.run.engine.inner(call, [script, ...words]);
}

/** `deno run -A npm:prisma migrate reset`. */
export function denoPackage(call: Call): Stream | null {
  const at = call.argv.findIndex((word) => word.startsWith("npm:"));
  if (at < 2 || !/^(?:run|x)$/.test(call.argv[1] ?? "")) return null;
  return call.run.engine.inner(call, [(call.argv[at] ?? "").slice(4), ...call.argv.slice(at + 1)]);
}
