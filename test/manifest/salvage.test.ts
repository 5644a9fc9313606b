import { describe, expect, test } from "vitest";
import { defaultSettings } from "../../src/core/settings.ts";
import { loadManifest } from "../../src/manifest/load.ts";

const load = (text: string) => loadManifest(new TextEncoder().encode(text), "holdfast.yaml");
const { protect } = defaultSettings;
const withMore = (paths: readonly string[], reads: readonly string[] = []) => ({
  ...defaultSettings,
  protect: { ...protect, paths: [...protect.paths, ...paths], reads },
});

describe("of a manifest that does not parse", () => {
  test("the protected files stay protected, beside the built-in ones; nothing else of it is believed", () => {
    const text = `version: 1
protect:
  # mine
  paths: ["db/**", ".env"]

  except: [".env.example"]
  reads:
    - "*.pem"
  holdfast: false
commands:
  risky: off
tests: { command: "npm test"
review: { max_diff_lines: 1 }
`;
    const { settings, salvaged, problems } = load(text);
    expect([settings, salvaged]).toEqual([null, withMore(["db/**"], ["*.pem"])]);
    expect(problems[0]).toMatchObject({
      code: "HF301",
      hint: "Mend it there; until then the built-in guards stay on, and the files its protect section names beside them.",
      where: { file: "holdfast.yaml", line: 13, column: 1 },
    });
  });

  test.each([
    ["the section comes after the fault", 'tests: "open\nprotect:\n  paths: [mine]\n'],
    ["its key is quoted, the ends are those of Windows", 'a: [\r\n"protect":\r\n  paths: [mine]\r\nb: 1\r\n'],
    ["it is the last line", "a: [\nprotect: { paths: [mine] }"],
    ["a byte order mark stands before it", '\uFEFFprotect:\n  paths: [mine]\na: "\n'],
    ["it is there twice", "a: [\nprotect:\n  paths: [mine]\nb: 1\nprotect:\n  except: [x]\n"],
  ])("%s", (_, text) => {
    expect(load(text)).toMatchObject({ settings: null, salvaged: withMore(["mine"]) });
  });

  test.each([
    ["the fault is in the section itself", 'protect:\n  paths: [".env", mine\ntests:\n  command: x\n'],
    ["a value of the section is wrong", "a: [\nprotect:\n  paths: mine\n"],
    ["it hangs on an anchor outside", "x: &x [mine]\na: [\nprotect:\n  paths: *x\n"],
    ["it is inside another", "a: [\n  protect:\n    paths: [mine]\n"],
    ["it is only spoken of", "a: [\n# protect:\n#   paths: [mine]\n"],
    ["it names nothing new", 'a: [\nprotect:\n  paths: [".env"]\n'],
    ["it only takes away", "a: [\nprotect:\n  paths: []\n  except: ['*']\n"],
  ])("nothing is saved where %s", (_, text) => {
    expect(load(text)).toMatchObject({ settings: null, salvaged: null });
  });
});

describe("of a manifest in another encoding", () => {
  const text = "# caf\u00e9\nprotect:\n  paths: [mine]\ncommands:\n  risky: off\n";

  test.each([
    ["Latin-1", Buffer.from(text, "latin1")],
    ["UTF-16, little end first", Buffer.from(`\uFEFF${text}`, "utf16le")],
    ["UTF-16, big end first", Buffer.from(`\uFEFF${text}`, "utf16le").swap16()],
  ])("the protected files stay protected: %s", (_, bytes) => {
    const { settings, salvaged, problems } = loadManifest(bytes, "holdfast.yaml");
    expect([settings, salvaged]).toEqual([null, withMore(["mine"])]);
    expect(problems).toMatchObject([
      { code: "HF302", hint: expect.stringMatching(/^Save it as UTF-8; until/) },
    ]);
  });
});

test("a manifest of several documents is told what it is", () => {
  const [found] = load("version: 1\n---\nversion: 1\n").problems;
  expect(found).toMatchObject({ code: "HF301", cause: "it holds several documents, parted by ---" });
});

test("a manifest that parses is taken as it is", () => {
  expect(load("protect:\n  paths: [mine]\n").salvaged).toBeUndefined();
  expect(load("protect:\n  paths: [mine]\n").settings?.protect.paths).toEqual(["mine"]);
});
