/** What a tool call does to the world, in words every agent shares. */
export const toolKinds = [
  "shell",
  "write",
  "edit",
  "delete",
  "patch",
  "read",
  "mcp",
  "web",
  "agent",
  "other",
] as const;

export type ToolKind = (typeof toolKinds)[number];

interface ToolBase {
  /** The agent's own name of the tool, e.g. `Bash`, `apply_patch`, `mcp__files__write`. */
  readonly name: string;
  /** The agent's own arguments, untouched. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** A command line handed to a shell. `workdir` overrides the event's cwd when the call carries one. */
export interface ShellTool extends ToolBase {
  readonly kind: "shell";
  /** One call may carry several commands (Cline); each is analysed on its own. */
  readonly commands: readonly string[];
  readonly workdir: string | null;
}

/** A call that names the files it touches. */
export interface FileTool extends ToolBase {
  readonly kind: "write" | "edit" | "delete" | "read";
  readonly paths: readonly string[];
}

/** A Codex-style patch text; the files it names are found by `patch/`. */
export interface PatchTool extends ToolBase {
  readonly kind: "patch";
  readonly patch: string;
}

/** Anything else. `paths` are the arguments that look like paths a write-named MCP tool would touch. */
export interface OtherTool extends ToolBase {
  readonly kind: "mcp" | "web" | "agent" | "other";
  readonly paths: readonly string[];
}

export type Tool = ShellTool | FileTool | PatchTool | OtherTool;
