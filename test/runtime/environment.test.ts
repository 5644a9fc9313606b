import { describe, expect, it } from "vitest";
import { agentMark, gitEnvironment, isOurChild, testEnvironment } from "../../src/runtime/environment.ts";

const marks = { HOLDFAST_CHILD: "1", GIT_TERMINAL_PROMPT: "0" };

describe("the environment of tests", () => {
  it("is the person's own", () => {
    const own = {
      PATH: "/bin",
      HOME: "/home/p",
      LANG: "de_DE.UTF-8",
      OPENAI_API_KEY: "k",
      GEMINI_API_KEY: "k",
      GIT_SSH_COMMAND: "ssh -i x",
      GIT_CONFIG_GLOBAL: "/x",
      GIT_AUTHOR_NAME: "P",
      NODE_OPTIONS: "--max-old-space-size=8192",
      npm_config_registry: "https://registry.example",
      GOOSE_DRIVER: "postgres",
      AGENT_URL: "x",
      PI_DIGITS: "5",
    };
    expect(testEnvironment(own)).toEqual({ ...own, ...marks, CI: "true" });
  });

  it("has nothing of git's, an agent's or npm's", () => {
    const left = Object.fromEntries(
      [
        "GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_PREFIX",
        "GIT_COMMON_DIR GIT_NAMESPACE GIT_CEILING_DIRECTORIES GIT_CONFIG GIT_CONFIG_PARAMETERS GIT_CONFIG_COUNT",
        "GIT_CONFIG_KEY_0 GIT_CONFIG_VALUE_0 GIT_EXEC_PATH GIT_QUARANTINE_PATH GIT_AUTHOR_DATE GIT_REFLOG_ACTION",
        "CLAUDECODE CLAUDE_PROJECT_DIR CLAUDE_CODE_ENTRYPOINT CODEX_HOME CODEX_SANDBOX OPENCODE OPENCODE_CONFIG",
        "GEMINI_CLI GEMINI_SESSION_ID QWEN_CODE COPILOT_CLI CURSOR_VERSION CURSOR_TRACE_ID AI_AGENT AGENT",
        "npm_lifecycle_event npm_package_name npm_execpath npm_config_user_agent npm_config_local_prefix INIT_CWD",
      ].flatMap((line) => line.split(" ").map((name) => [name, "x"])),
    );
    expect(testEnvironment(left)).toEqual({ ...marks, CI: "true" });
  });

  it("takes a debugger out of NODE_OPTIONS and leaves the rest", () => {
    const of = (NODE_OPTIONS: string) => testEnvironment({ NODE_OPTIONS }).NODE_OPTIONS;
    expect(of("--inspect-brk=0 --enable-source-maps")).toBe("--enable-source-maps");
    expect(of("--require /x/ms-vscode.js-debug/bootloader.js")).toBeUndefined();
    expect(of("--require ./setup.js --inspect")).toBe("--require ./setup.js");
  });

  it("keeps the CI it is in", () => {
    expect(testEnvironment({ CI: "1" }).CI).toBe("1");
  });
});

describe("the mark of an agent", () => {
  it.each([
    ["CLAUDECODE", true],
    ["CODEX_SANDBOX_NETWORK_DISABLED", true],
    ["KILO", true],
    ["AI_AGENT", true],
    ["HOLDFAST_CHILD", true],
    ["CODEX_HOME", false],
    ["KILO_CONFIG", false],
    ["MY_CLAUDECODE", false],
  ])("%s: %s, and tests run without it", (name, marked) => {
    expect(agentMark({ PATH: "/bin", [name]: "1" })).toBe(marked ? name : null);
    if (marked) expect(testEnvironment({ [name]: "1" })).toEqual({ ...marks, CI: "true" });
  });

  it("is none where the variable is empty", () => {
    expect(agentMark({ CLAUDECODE: "" })).toBe(null);
  });
});

describe("the environment of git questions", () => {
  const env = { PATH: "/bin", GIT_DIR: "/r/.git", GIT_INDEX_FILE: ".git/next-index-1.lock", LC_ALL: "de_DE" };
  const ours = { PATH: "/bin", ...marks, GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" };

  it("asks about the folder it runs in", () => {
    expect(gitEnvironment(env)).toEqual(ours);
  });

  it("looks at the index of the commit in the making inside a commit hook", () => {
    expect(gitEnvironment(env, "commit")).toEqual({
      ...ours,
      GIT_DIR: "/r/.git",
      GIT_INDEX_FILE: ".git/next-index-1.lock",
    });
  });
});

it("marks children", () => {
  expect([isOurChild(testEnvironment({})), isOurChild(gitEnvironment({})), isOurChild({})]).toEqual([
    true,
    true,
    false,
  ]);
});
