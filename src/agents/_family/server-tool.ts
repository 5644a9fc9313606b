import { type Dict, dict, firstText, isDict, list, text, texts } from "../../core/read.ts";
import type { Tool } from "../../core/tool.ts";
import { firstCommand, quoted } from "./command-line.ts";

/**
 * What a call of a tool of an MCP server does, by its name and its arguments: it runs commands, applies a patch that
 * names its files, or shows its paths.
 */
export function serverTool(name: string, given: Dict, all: Dict = given): Tool {
  const input = unwrapped(given);
  const commands = commandsIn(name, input);
  if (commands !== null)
    return { kind: "shell", name, input: all, commands, workdir: firstText(input, workdirKeys) };
  const own = ownName(name);
  const ends = /move|rename|copy/.test(own) ? texts([input.from, input.to]) : [];
  const paths = [...pathsIn(input), ...ends];
  const patch = paths.length === 0 && appliesText.test(own) ? patchIn(input) : undefined;
  return patch === undefined
    ? { kind: "mcp", name, input: all, paths }
    : { kind: "patch", name, input: all, patch };
}

const wrappers = ["params", "parameters", "arguments", "args", "input", "request", "payload", "body"];

/** Some servers take all their arguments as one object: `{ "params": { "path": … } }`. */
function unwrapped(input: Dict, depth = 2): Dict {
  const inner = wrappers.map((key) => input[key]).find(isDict);
  return inner === undefined || depth === 0 ? input : { ...input, ...unwrapped(inner, depth - 1) };
}

/** Words of a tool's own name that say that it changes files, and not what people say about them. */
const appliesText =
  /^(?!.*(?:comment|review|issue|pull|message))(?:_*patch|.*(?<![a-z])(?:apply|write|edit|modify|replace|update)(?![a-z]))/;

function patchIn(input: Dict): string | undefined {
  const isPatch = /^(?:\*{3} (?:Begin Patch|(?:Add|Update|Delete) File:)|\+{3} |diff --git )/m;
  return texts(Object.values(input)).find((value) => isPatch.test(value));
}

/** In small letters, its words apart, without the server's name. */
function ownName(name: string): string {
  return name
    .slice(name.lastIndexOf("__") + 1)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase();
}

const workdirKeys = ["workdir", "cwd", "working_directory"];

/** Names of MCP tools that hand their `command` to a shell. */
const runsCommands = /exec|run|shell|command|terminal|bash|process|spawn|eval|script/i;
/** Words of a tool's own name that say that it runs a text, whatever the argument is called. */
const runsText =
  /(?:^|[^a-z])(?:exec|execute|run|shell|bash|terminal|command|eval|evaluate|spawn|script)(?:[^a-z]|$)/;
/** Names of tools that type into a terminal. */
const typesText =
  /send.?(?:keys|input)|(?:write|send|type).*terminal|terminal.*(?:write|send|type)|interact.*process/i;
/** Names of tools that hand a statement to a database. */
const statesText =
  /sql|postgres|mysql|mariadb|duckdb|database|supabase|neon|bigquery|snowflake|clickhouse|(?:^|_)(?:db|pg|psql)_|(?:execute|run)_?(?:query|statement)|apply_?migration/i;

/** The command lines that a tool of an MCP server runs, as a shell would be given them; null for any other tool. */
export function serverCommands(name: string, input: Dict): readonly string[] | null {
  return commandsIn(name, unwrapped(input));
}

function commandsIn(name: string, input: Dict): readonly string[] | null {
  const statement = text(input.sql) ?? statementIn(name, input);
  if (statement !== null) return [`psql -c ${quoted(statement)}`];
  const script = /mongo/i.test(name) ? firstText(input, ["command", "query", "script", "code"]) : null;
  if (script?.includes("db.")) return [`mongosh --eval ${quoted(script)}`];
  const typed = typesText.test(name) ? firstText(input, ["keys", "input", "text", "data"]) : null;
  if (typed !== null) return [typed];
  if (!runsCommands.test(name)) return null;
  const several = lines(input);
  if (several.length > 0) return several;
  const code = runsText.test(ownName(name)) ? firstText(input, codeKeys) : null;
  if (code === null) return null;
  const interpreter = interpreterOf(code, firstText(input, ["language", "lang", "runtime", "interpreter"]));
  return [interpreter === null ? code : `${interpreter} ${literal(code)}`];
}

const codeKeys = ["script", "code", "commandLine", "command_line", "shell_command", "shellCommand", "input"];

/** A tool that is called `query` says what is queried by its server's name, or by the text alone. */
function statementIn(name: string, input: Dict): string | null {
  const several = texts(input.statements ?? input.queries).join("; ");
  const said = firstText(input, ["query", "statement"]) ?? (several === "" ? null : several);
  if (said === null || statesText.test(name)) return said;
  return (queries.test(ownName(name)) || several !== "") && isStatement.test(said) ? said : null;
}

const queries = /^_*(?:run|execute|exec|raw)?[_ ]*(?:query|queries|statement)$/;
const isStatement =
  /(?:^|;)\s*(?:(?:drop|truncate|alter) (?:table|database|schema|view|index)|truncate|delete\s+from|update\s+\S+\s+set)\s/i;

/** One command as text or as a list of words, with further words beside it, or several commands. */
function lines(input: Dict): string[] {
  const given = input.args ?? input.arguments;
  const args = text(given) ?? texts(given).map(quoted).join(" ");
  for (const key of ["command", "cmd", "argv", "program", "executable"]) {
    const program = text(input[key]);
    if (program !== null && program !== "" && args !== "") return [`${program} ${args}`];
    // A program's name alone may stand for anything.
    const command = key.startsWith("p") || key.startsWith("e") ? null : firstCommand(input, [key]);
    if (command !== null) return [command];
  }
  return list(input.commands ?? input.cmds).flatMap((one) =>
    isDict(one) ? lines(one).slice(0, 1) : (firstCommand({ one }, ["one"]) ?? []),
  );
}

function literal(script: string): string {
  return `'${script.replaceAll("'", "'\\''")}'`;
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

const pathKeys = [
  ..."file_path filePath path relative_path relativePath relative_workspace_path notebook_path".split(" "),
  ..."absolute_path absolutePath abs_path pathInProject".split(" "),
  ..."target_file targetFile TargetFile file filename fileName file_name".split(" "),
  ..."destination dest target source new_path old_path newPath oldPath".split(" "),
  ..."output_path outputPath output_file outputFile save_path savePath save_as saveAs".split(" "),
  ..."source_path sourcePath from_path destination_path destinationPath dest_path to_path".split(" "),
];
const folderKeys = "dir directory folder root base_path basePath base_dir repo_path repoPath cwd".split(" ");
const nameKeys = "filename fileName file_name file name path relative_path relativePath".split(" ");
const urlKeys = ["uri", "file_uri", "fileUri", "url", "uris"];
const listKeys = ["paths", "files", "file_paths", "filePaths", "edits", "operations", "changes", "items"];

/**
 * Arguments of an unknown tool that look like paths, one level deep, lists and maps from paths to texts included;
 * `file:` URLs as well.
 */
export function pathsIn(input: Dict): string[] {
  const found = [...pathKeys, ...listKeys, ...urlKeys].flatMap((key) => {
    const value = input[key];
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    const found = items.flatMap((item) =>
      typeof item === "string"
        ? pathOf(key, item)
        : [...pathKeys, ...urlKeys].flatMap((inner) => pathOf(inner, dict(item)[inner])),
    );
    return found.length === 0 && listKeys.includes(key) ? Object.keys(dict(value)) : found;
  });
  return [...found, ...joinedPaths(input)];
}

/** A name in one argument, its folder in another. */
function joinedPaths(input: Dict): string[] {
  const folder = firstText(input, folderKeys);
  if (folder === null || /^[a-z][\w+.-]+:/i.test(folder)) return [];
  const names = nameKeys.flatMap((key) => text(input[key]) ?? []);
  return names
    .filter((name) => !/^(?:[/~\\]|[a-z][\w+.-]*:)|\n/i.test(name))
    .map((name) => `${folder.replace(/(?<=[^/])\/$/, "")}/${name}`);
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
