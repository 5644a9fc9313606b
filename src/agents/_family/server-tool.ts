import { type Dict, dict, firstText } from "../../core/read.ts";
import { firstCommand } from "./command-line.ts";

/** Names of MCP tools that hand their `command` to a shell. */
const runsCommands = /exec|run|shell|command|terminal|bash/i;
/** Words of a tool's own name that say that it runs a text, whatever the argument is called. */
const runsText = /(?:^|[^a-z])(?:exec|execute|run|shell|bash|terminal|command|eval)(?:[^a-z]|$)/;

/** The command line that a tool of an MCP server runs, as a shell would be given it; null for any other tool. */
export function serverCommand(name: string, input: Dict): string | null {
  if (!runsCommands.test(name)) return null;
  const command = firstCommand(input, ["command", "cmd"]);
  if (command !== null) return command;
  const own = name
    .slice(name.lastIndexOf("__") + 1)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase();
  const script = runsText.test(own)
    ? firstText(input, ["script", "code", "commandLine", "command_line"])
    : null;
  if (script === null) return null;
  const interpreter = interpreterOf(script, firstText(input, ["language", "lang", "runtime", "interpreter"]));
  return interpreter === null ? script : `${interpreter} '${script.replaceAll("'", "'\\''")}'`;
}

/** The program that runs a text by its language, or by how it looks where none is said; null: a shell. */
function interpreterOf(script: string, language: string | null): string | null {
  const said = language?.toLowerCase() ?? "";
  if (/^(?:sh|bash|zsh|shell)/.test(said)) return null;
  if (/^(?:py|ipython)/.test(said) || (said === "" && looksLikePython.test(script))) return "python3 -c";
  if (
    /^(?:js|javascript|ts|typescript|node|deno|bun)/.test(said) ||
    (said === "" && looksLikeScript.test(script))
  )
    return "node -e";
  if (said.startsWith("ruby")) return "ruby -e";
  return said.startsWith("perl") ? "perl -e" : said.startsWith("php") ? "php -r" : null;
}

const looksLikePython = /^\s*(?:import \w|from [\w.]+ import |def \w+\(|with open\(|print\(|open\()/m;
const looksLikeScript = /^\s*(?:const|let|var|import .* from|await|function) |\brequire\(|=>/m;

const pathKeys =
  "file_path filePath path relative_path relativePath relative_workspace_path notebook_path target_file targetFile TargetFile file filename fileName destination dest target source new_path old_path newPath oldPath".split(
    " ",
  );
const urlKeys = ["uri", "file_uri", "fileUri", "url", "uris"];
const listKeys = ["paths", "files", "file_paths", "filePaths", "edits", "operations", "changes", "items"];

/** Arguments of an unknown tool that look like paths, one level deep, lists included; `file:` URLs as well. */
export function pathsIn(input: Dict): string[] {
  return [...pathKeys, ...listKeys, ...urlKeys].flatMap((key) => {
    const value = input[key];
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    return items.flatMap((item) =>
      typeof item === "string"
        ? pathOf(key, item)
        : [...pathKeys, ...urlKeys].flatMap((inner) => pathOf(inner, dict(item)[inner])),
    );
  });
}

/** A URL of another kind names no file here. */
function pathOf(key: string, value: unknown): string[] {
  if (typeof value !== "string" || value === "") return [];
  return urlKeys.includes(key) &&
    (key.startsWith("url") || /^[a-z][\w+.-]+:/i.test(value)) &&
    !/^file:/i.test(value)
    ? []
    : [value];
}
