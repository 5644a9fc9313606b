/** Words in the name of an MCP tool that may write or run something. */
const mcpWords =
  "write|edit|create|delete|move|append|save|update|remove|rename|patch|put|replace|insert|exec|run|shell|command|bash|terminal";

/**
 * A matcher for the named tools and for MCP tools that write or run, whose names begin as `mcp` says (a
 * regex). Every match costs a process start, so reads are left out. Plain alternation: the same text is a
 * JavaScript regex in Claude Code and a Rust regex in Codex (docs: both, 2026-11-30). Codex's trust covers
 * it, so it must stay as it is.
 */
export function toolMatcher(tools: readonly string[], mcp = "mcp__.*"): string {
  return `^(${tools.join("|")}|${mcp}(${mcpWords}).*)$`;
}
