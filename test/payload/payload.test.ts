import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutMark, hasGaps } from "../../src/core/cut.ts";
import { isDict } from "../../src/core/read.ts";
import { isCut, readPayload } from "../../src/runtime/payload.ts";
import { longestText, skim } from "../../src/runtime/skim.ts";

const megabyte = 1024 * 1024;

function read(text: string | Buffer) {
  return readPayload(Buffer.from(text));
}

/** Documents as plain JSON values, for comparisons that ignore prototypes. */
function documents(text: string | Buffer): unknown[] {
  return JSON.parse(JSON.stringify(read(text).documents));
}

describe("a usual payload", () => {
  it("is one document without a problem", () => {
    const event = { cwd: "/p", tool_input: { command: "rm .env", n: [1, null, true, -2.5e3, ""] } };
    const text = JSON.stringify(event);
    expect(read(text)).toEqual({ documents: [event], bytes: text.length, problem: null });
    expect(read(JSON.stringify(event, null, 2)).documents).toEqual([event]);
    expect(read(text.replaceAll(":", " :\t")).problem).toBeNull();
  });

  it.each([
    ["a byte order mark", `\ufeff{"a":1}`],
    ["blanks around it", ` \r\n\t{"a":1}\n\n`],
    ["UTF-16", Buffer.from(`\ufeff{"a":1}`, "utf16le")],
    ["escapes in a key", '{"\\u0061":1}'],
  ])("may come with %s", (_, text) => {
    expect(read(text)).toMatchObject({ documents: [{ a: 1 }], problem: null });
  });

  it("keeps what escapes hide", () => {
    const text = '{"tool_\\u0069nput":{"file_path":"\\u002e\\u0065nv","x":"\\ud83d\\ude00\\/\\\\"}}';
    expect(documents(text)).toEqual([{ tool_input: { file_path: ".env", x: "😀/\\" } }]);
  });

  it("may hold invalid UTF-8 and NUL, which become visible characters", () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xc3]), Buffer.from('\\u0000"}')]);
    expect(read(bytes)).toMatchObject({ documents: [{ a: "\ufffd\ufffd\0" }], problem: null });
  });
});

describe("a key that is named twice", () => {
  it.each([
    ["at the top", '{"a":1,"a":2}', [{ a: 2 }, { a: 1 }]],
    [
      "below",
      '{"x":{"p":".env","p":"ok"},"y":[{"q":1,"q":2}]}',
      [
        { x: { p: "ok" }, y: [{ q: 2 }] },
        { x: { p: ".env" }, y: [{ q: 1 }] },
      ],
    ],
    ["once in escapes", '{"path":".env","p\\u0061th":"ok"}', [{ path: "ok" }, { path: ".env" }]],
    ["three times", '{"a":1,"a":2,"a":3}', [{ a: 3 }, { a: 1 }]],
    ["with other blanks", '{ "a" : 1 , "a"\n:\t2 }', [{ a: 2 }, { a: 1 }]],
    ["with an empty name", '{"":1,"":2}', [{ "": 2 }, { "": 1 }]],
  ])("%s is read both ways", (_, text, expected) => {
    expect(documents(text)).toEqual(expected);
    expect(read(text).problem).toBeNull();
  });

  it("is not seen in texts that look like keys", () => {
    const text = '{"a":"\\"a\\": 1, \\"a\\": 2","b":["c","c"],"d":"\\\\"}';
    expect(read(text)).toMatchObject({ documents: [JSON.parse(text)], problem: null });
    expect(read(text).documents).toHaveLength(1);
  });

  it("never reaches a prototype", () => {
    const text = '{"__proto__":{"x":1},"__proto__":{"x":2},"constructor":{"prototype":{"x":3}}}';
    for (const document of read(text).documents) {
      expect(isDict(document) && Object.hasOwn(document, "__proto__")).toBe(true);
      expect((document as { x?: unknown }).x).toBeUndefined();
    }
    expect(({} as { x?: unknown }).x).toBeUndefined();
    expect(documents(text)).toHaveLength(2);
  });
});

describe("a damaged payload", () => {
  const damaged = { code: "HF809", severity: "error" };
  it.each([
    [
      "cut off in a text",
      '{"cwd":"/p","tool_input":{"command":"rm .env',
      [{ cwd: "/p", tool_input: { command: "rm .env" } }],
    ],
    ["cut off after a key", '{"cwd":"/p","tool_input":{"command":', [{ cwd: "/p", tool_input: {} }]],
    ["cut off in a key", '{"cwd":"/p","tool', [{ cwd: "/p" }]],
    ["cut off in an escape", '{"a":"b\\u00', [{ a: "b" }]],
    ["cut off at a backslash", '{"a":"b\\', [{ a: "b\\" }]],
    ["cut off in a word", '{"a":tru', [{}]],
    ["with something behind it", '{"a":1}{"b":2}', [{ a: 1 }]],
    ["with something in front", 'warning: x\n{"a":1}', [{ a: 1 }]],
    ["with a comma too many", '{"a":1,}', [{ a: 1 }]],
    ["with a comma too few", '{"a":1 "b":[1 2]}', [{ a: 1, b: [1, 2] }]],
    ["with a bare key", '{"a":1,b:2,"c":3}', [{ a: 1, c: 3 }]],
    ["with single quotes", "{'a':1}", [{}]],
    ["with a raw line break", '{"a":"x\ny"}', [{ a: "x\ny" }]],
    ["with an unknown escape", '{"a":"\\.\\x"}', [{ a: ".x" }]],
    ["with NULs around it", '\0{"a":1}\0', [{ a: 1 }]],
    ["with a number that is none", '{"a":NaN,"b":01,"c":1}', [{ b: 1, c: 1 }]],
    ["with the wrong bracket", '{"a":[1}]}', [{ a: [1] }]],
  ])("%s is read as far as it goes", (_, text, expected) => {
    expect(documents(text)).toEqual(expected);
    expect(read(text).problem === null || text.startsWith("\0")).toBe(text.startsWith("\0"));
  });

  it.each([
    ["empty", ""],
    ["blank", " \n"],
    ["NULs", "\0\0\0"],
    ["prose", "hello"],
    ["half a text", '"a'],
  ])("that is %s says nothing", (_, text) => {
    expect(read(text)).toMatchObject({ documents: [], problem: damaged });
  });

  it("says where it is damaged", () => {
    expect(read('{"a":1').problem).toMatchObject({ ...damaged, cause: "it ends in the middle, near byte 6" });
  });
});

describe("an oversized payload", () => {
  const filler = (size: number, unit: string) =>
    Buffer.alloc(Math.ceil(size / unit.length) * unit.length, unit);
  const around = (before: string, size: number, unit: string, after: string) =>
    Buffer.concat([Buffer.from(before), filler(size, unit), Buffer.from(after)]);

  it("keeps what stands behind a huge text, and the text's beginning", () => {
    const bytes = around('{"tool_input":{"content":"', 20 * megabyte, "a", '","file_path":".env"}}');
    const [document] = read(bytes).documents as [{ tool_input: { content: string; file_path: string } }];
    expect(document.tool_input.file_path).toBe(".env");
    expect(isCut(document.tool_input.content)).toBe(true);
    expect(document.tool_input.content.length).toBe(longestText + cutMark.length);
    expect(hasGaps(document)).toBe(false);
    expect(read(bytes).problem).toBeNull();
  });

  it("cuts between characters and escapes", () => {
    for (const unit of ["ab😀", 'a\\"', "\\\\", "é", "\\u00e9x"]) {
      const bytes = around('{"a":"', 5 * megabyte, unit, '","b":"end"}');
      const whole: string = JSON.parse(`"${unit.repeat(longestText)}"`);
      const [document] = read(bytes).documents as [{ a: string; b: string }];
      const kept = document.a.slice(0, -cutMark.length);
      expect(document.b).toBe("end");
      expect(isCut(document.a)).toBe(true);
      expect(whole.startsWith(kept)).toBe(true);
      expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(longestText + 6);
    }
  });

  it("leaves a whole text of the longest size whole", () => {
    const { value } = skim(
      Buffer.from(`["${"a".repeat(longestText)}","${"a".repeat(longestText + 1)}"]`),
      "last",
    );
    const [whole, cut] = value as [string, string];
    expect([whole.length, isCut(whole), isCut(cut)]).toEqual([longestText, false, true]);
  });

  it.each([
    ["numbers", '{"x":[', "1,", '1],"p":".env"}'],
    ["keys", '{"x":{', '"k":1,', '"z":1},"p":".env"}'],
    ["empty objects", '{"x":[', "{},", '{}],"p":".env"}'],
    ["quotes", '{"x":[', '"",', '""],"p":".env"}'],
    ["values of an argument", '{"p":".env","input":{"x":[', "[1],", '1],"p":".env"}}'],
  ])("keeps what stands behind too many %s, and marks the gap", (_, before, unit, after) => {
    const payload = readPayload(around(before, 8 * megabyte, unit, after));
    for (const document of payload.documents) {
      expect(document).toMatchObject({ p: ".env" });
      expect(isDict(document) && hasGaps(document)).toBe(true);
      if (isDict(document) && "input" in document) expect(document.input).toMatchObject({ p: ".env" });
    }
    expect(payload.problem).toMatchObject({ code: "HF810", severity: "warning" });
  });

  it("gives an argument's rest what the arguments before it left, and no more", () => {
    const argument = (key: string) => `"${key}":[${"1,".repeat(30_000)}1]`;
    const text = `{"input":{${["a", "b", "c", "d", "e", "f", "g"].map(argument).join(",")}},"name":"x"}`;
    const { value, gaps } = skim(Buffer.from(text), "last");
    const { input, name } = value as { input: Record<string, unknown>; name: string };
    expect({ keys: Object.keys(input), name, gaps }).toEqual({
      keys: ["a", "b", "c", "d", "e", cutMark],
      name: "x",
      gaps: true,
    });
  });

  it.each([
    ["open brackets", filler(megabyte, "[")],
    ["open objects", filler(6 * megabyte, '{"a":')],
    ["closed brackets", Buffer.from("[".repeat(1_000_000) + "]".repeat(1_000_000))],
    ["a few more than are kept", Buffer.from(`${"[".repeat(300)}1${"]".repeat(300)}`)],
  ])("ends somewhere in endless nesting: %s", (_, bytes) => {
    const payload = readPayload(bytes);
    expect(payload.documents).toHaveLength(1);
    expect(JSON.stringify(payload.documents).length).toBeLessThan(5000);
    expect(payload.problem?.code).toMatch(/^HF8(09|10)$/);
  });

  it.each([
    ["blanks", " "],
    ["NULs", "\0"],
    ["backslashes", "\\"],
    ["quotes", '"'],
    ["colons", ":"],
    ["commas", ","],
    ["closing braces", "}"],
    ["brackets", "[{"],
    ["digits", "9x"],
    ["high bytes", "\u{10ffff}"],
  ])("is survived when all of it is %s", (_, unit) => {
    for (const before of ["", "{", '{"a":', '{"a":"', "["]) {
      const bytes = around(before, megabyte / 2, unit, "");
      expect(skim(bytes, "last").damage).not.toBeNull();
      const payload = readPayload(bytes);
      expect(payload.documents.length).toBeLessThanOrEqual(2);
      expect(payload.problem?.code).toBe("HF809");
    }
  });
});

describe("any payload", () => {
  const json = fc.json({ maxDepth: 6 }).filter((text) => /^[[{]/.test(text));

  it("of valid JSON is read as JSON.parse reads it, skimmed or not", () => {
    fc.assert(
      fc.property(json, (text) => {
        const parsed = JSON.parse(text);
        const { value, damage, gaps } = skim(Buffer.from(text), "last");
        expect({ value: JSON.stringify(value), damage, gaps }).toEqual({
          value: JSON.stringify(parsed),
          damage: null,
          gaps: false,
        });
        expect(JSON.stringify(read(text).documents)).toBe(JSON.stringify([parsed]));
      }),
      { numRuns: 2000 },
    );
  });

  it("with repeated keys is read both ways", () => {
    const entry = fc.tuple(fc.constantFrom("a", "b", "c"), fc.nat(9));
    fc.assert(
      fc.property(
        fc.array(entry, { minLength: 1, maxLength: 6 }),
        fc.constantFrom("", " ", "\n"),
        (entries, gap) => {
          const text = `{${entries.map(([key, value]) => `"${key}"${gap}:${gap}${value}`).join(`,${gap}`)}}`;
          const last = Object.fromEntries(entries);
          const first = Object.fromEntries([...entries].reverse());
          const repeats = Object.keys(last).length < entries.length;
          expect(documents(text)).toEqual(repeats ? [last, first] : [last]);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("cut off anywhere still shows every entry that was complete", () => {
    fc.assert(
      fc.property(fc.nat(), fc.string(), (at, noise) => {
        const text = `{"cwd":"/p","tool_input":{"file_path":".env","content":${JSON.stringify(noise)}}}`;
        const end = at % text.length;
        const [document] = documents(text.slice(0, end));
        if (end > text.indexOf('.env"') + 5)
          expect(document).toMatchObject({ tool_input: { file_path: ".env" } });
      }),
      { numRuns: 1000 },
    );
  });

  it("of any bytes gives documents or a problem, and never throws", () => {
    const shreds = fc.array(
      fc.oneof(
        fc.constantFrom(
          "{",
          "}",
          "[",
          "]",
          '"',
          ":",
          ",",
          "\\",
          "\\u",
          "null",
          "1e9",
          '"a":',
          '"__proto__":',
          "\0",
        ),
        fc.string({ unit: "binary", maxLength: 4 }),
      ),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          shreds.map((parts) => Buffer.from(parts.join(""))),
          fc.uint8Array().map((bytes) => Buffer.from(bytes)),
        ),
        (bytes) => {
          const payload = readPayload(bytes);
          expect(payload.bytes).toBe(bytes.length);
          expect(payload.documents.length > 0 || payload.problem !== null).toBe(true);
          expect(() => JSON.stringify(payload.documents)).not.toThrow();
        },
      ),
      { numRuns: 5000 },
    );
  });
});
