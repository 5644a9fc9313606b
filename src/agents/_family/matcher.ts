/**
 * Words in the name of an MCP tool that may write or run something; any of them may begin with a capital, as in
 * `batchWrite`.
 */
const mcpWords = [
  ..."write edit create delete move append save update remove rename patch put replace insert copy modify apply".split(
    " ",
  ),
  ..."upload push download extract unzip truncate unlink mkdir touch migrat".split(" "),
  ..."make prepend store erase trash wipe".split(" "),
  ..."exec run shell command bash terminal process spawn eval script sql query".split(" "),
].map((word) => `[${word[0]?.toUpperCase()}${word[0]}]${word.slice(1)}`);

/** Words that are parts of many others, and names in capitals (`GITHUB_CREATE_FILE`), which the hook itself can tell. */
const otherWords = ["[Ss]et_", "set[A-Z]", "_(rm|mv|cp)", "[Ss]end_?([Kk]eys|[Ii]nput)", "[A-Z]{3}"];

/**
 * A matcher for the named tools and for MCP tools that write or run, whose names begin as `mcp` says (a
 * regex). Every match costs a process start, so reads are left out. Plain alternation: the same text is a
 * JavaScript regex in Claude Code and a Rust regex in Codex (docs: both, 2026-11-30). Codex's trust covers
 * it, so it must stay as it is.
 */
export function toolMatcher(tools: readonly string[], mcp = "mcp__.*"): string {
  return `^(${tools.join("|")}|${mcp}(${[...mcpWords, ...otherWords].join("|")}).*)$`;
}
