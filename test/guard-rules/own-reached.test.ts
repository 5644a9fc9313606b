import { beforeEach, describe, expect, test } from "vitest";
import { eachPlace } from "./place.ts";

const place = eachPlace();
const { put } = place;
const said = async (command: string) => (await place.judge(command, Date.now() + 60_000)).said;

beforeEach(() => {
  put(".gitignore", "local/\n");
  put("a.yaml", "a: ask\n", 100);
  put("src/a.ts", "ask\n", 100);
  place.commit();
});

describe("what changes all of a kind is refused where Holdfast's own file is among it", () => {
  test.each([
    "sed -i s/ask/off/ *.yaml",
    "perl -pi -e s/ask/off/ *.yaml",
    "truncate -s 0 *.yaml",
    "echo x | tee *.yaml",
    "sed -i s/ask/off/ *",
    "cd src && sed -i s/ask/off/ ../*.yaml",
    "sed -i s/ask/off/ **/*.yaml",
    'for f in *.yaml; do sed -i s/ask/off/ "$f"; done',
    "find . -name '*.yaml' -exec sed -i s/ask/off/ {} +",
    "find . -type f -exec sed -i s/ask/off/ {} +",
    "find .. -name '*.yaml' -exec rm {} +",
    "find . -type f | xargs sed -i s/ask/off/",
    "grep -rl ask . | xargs sed -i s/ask/off/",
    "rg -l 'risky: ask' | xargs sed -i 's/risky: ask/risky: off/'",
    "fd -e yaml -x sed -i s/ask/off/",
    "fd -HI . -X rm",
    "git ls-files -o --exclude-standard | xargs sed -i s/ask/off/",
    "ls | grep yaml | xargs sed -i s/ask/off/",
    "sed -i 's/none/x/; s/ask/off/' *.yaml",
    "sed -i '/ask/d' *.yaml",
    "sed -n -i s/none/x/p *.yaml",
    'perl -pi -e "s/\\$x/off/" *.yaml',
    "sed -i 's/r$i/x/' *.yaml",
  ])("%s", async (command) => {
    const before = await said(command);
    put("holdfast.yaml", "version: 1\nguard:\n  risky: ask\n", 100);
    expect([before, await said(command)]).toEqual([expect.not.stringContaining("self"), "deny self"]);
  });

  test.each([
    "sed -i s/ask/off/ *.ts src/*",
    "sed -i s/ask/off/ */*",
    "sed -i s/none/off/ *",
    "sed -i '' -e 's|no/ne|x|g' *.yaml",
    "perl -pi -e 's/none$/x/' *.yaml",
    "find . -type f -not -path './.git/*' -exec sed -i -E 's/no(ne|body)/x/g' {} +",
    "find . -name '*.ts' -exec sed -i s/ask/off/ {} +",
    "find . -name '*.yaml' -not -name holdfast.yaml -exec sed -i s/ask/off/ {} +",
    "grep -rl none . | xargs sed -i s/none/ask/",
    "grep -rl ask --include='*.ts' . | xargs sed -i s/ask/off/",
    "git ls-files | xargs sed -i s/ask/off/",
    "git grep -l ask | xargs sed -i s/ask/off/",
    "ls | grep -v holdfast | xargs sed -i s/ask/off/",
    "prettier --write '**/*.yaml'",
    "touch *.yaml",
    "git add *.yaml",
    "cp *.yaml /nowhere/x/",
  ])("but not %s", async (command) => {
    put("holdfast.yaml", "version: 1\nguard:\n  risky: ask\n", 100);
    expect(await said(command)).toMatch(/^allow/);
  });
});

test("the refusal says how to leave it out", async () => {
  put("holdfast.yaml", "guard:\n  risky: ask\n", 100);
  const { reason } = await place.judge("find . -type f -exec sed -i s/ask/off/ {} +");
  expect(reason).toContain("add `-not -name 'holdfast.yaml'` to find");
});
