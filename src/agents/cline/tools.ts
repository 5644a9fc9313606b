import { type Dict, dict, firstText, isDict, list, text, texts } from "../../core/read.ts";
import type { Tool } from "../../core/tool.ts";
import { pathsIn, serverTool } from "../_family/server-tool.ts";

/**
 * Tools of the CLI 3.0.65 (ran) and the extension 4.1.13, which share one core (source), 2026-11-30. The names in
 * the second half of each group are those of versions before that core (docs).
 */
export function readTool(name: string, raw: unknown): Tool {
  const input = isDict(raw) ? raw : { input: raw };
  const path = firstText(input, ["path", "absolutePath", "file_path"]);
  const paths = path === null ? [] : [path];
  switch (name) {
    case "run_commands":
    case "execute_command":
      return { kind: "shell", name, input, commands: commandsIn(raw), workdir: text(input.cwd) };
    case "editor":
    case "replace_in_file":
      return { kind: "edit", name, input, paths };
    case "write_to_file":
    case "new_rule":
      return { kind: "write", name, input, paths };
    case "apply_patch":
      return { kind: "patch", name, input, patch: firstText(input, ["input", "patch"]) ?? "" };
    case "read_files":
    case "read_file":
      return { kind: "read", name, input, paths: [...paths, ...pathsOf(input.files)] };
    case "fetch_web_content":
      return { kind: "web", name, input, paths: [] };
    case "spawn_agent":
      return { kind: "agent", name, input, paths: [] };
    default:
      // MCP tools are named `<server>__<tool>` (ran: 3.0.65).
      return name.includes("__")
        ? serverTool(name, input)
        : { kind: "other", name, input, paths: pathsIn(input) };
  }
}

/**
 * Every form the tool takes (source: 3.0.65): a list of texts or of `{command, args}`, one of either, a bare list,
 * a bare text. A guard that reads only one of them is walked around.
 */
function commandsIn(raw: unknown): string[] {
  if (typeof raw === "string") return [raw];
  if (Array.isArray(raw)) return raw.flatMap(commandsIn);
  const input = dict(raw);
  const { commands } = input;
  const many = typeof commands === "string" ? [commands] : list(commands).flatMap(commandsIn);
  const one = firstText(input, ["command", "cmd"]);
  return one === null ? many : [...many, withArgs(one, input)];
}

/** Arguments reach the program as they are, so they are quoted for whoever reads the command as shell. */
function withArgs(command: string, input: Dict): string {
  const args = texts(input.args).map((arg) => `'${arg.replaceAll("'", "'\\''")}'`);
  return [command, ...args].join(" ");
}

function pathsOf(files: unknown): string[] {
  return list(files).flatMap((file) => text(file) ?? text(dict(file).path) ?? []);
}
