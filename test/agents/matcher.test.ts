import { expect, test } from "vitest";
import { toolMatcher } from "../../src/agents/_family/matcher.ts";

const matcher = new RegExp(toolMatcher(["Bash", "Write"]));

test.each(
  "write_file batchWrite fileWrite Write_File copy_file copyFile modify_file apply_diff applyEdit start_process set_file_contents setContents upload_file push_files send_keys sendKeys execute_sql query run_command create_directory fs_rm delete_lines interact_with_process extract_zip WRITE_FILE GITHUB_CREATE_FILE x__RUN make_file store_file".split(
    " ",
  ),
)("the hook is called for a tool of a server that may write or run: %s", (name) => {
  expect(matcher.test(`mcp__x__${name}`)).toBe(true);
});

test.each(
  "read_file list_directory search_files get_issue fetch web_search find offset settings getIssue Get_Issue".split(
    " ",
  ),
)("and not for one that only reads: %s", (name) => {
  expect(matcher.test(`mcp__x__${name}`)).toBe(false);
});

test("the agent's own tools are named as they are", () => {
  expect(["Bash", "Write", "BashOutput", "Read", "xWrite"].map((name) => matcher.test(name))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
