import { expect, test } from "vitest";
import { formatDuration, parseDuration } from "../../src/manifest/duration.ts";
import { nearest } from "../../src/manifest/nearest.ts";

const commands = ["status", "install", "uninstall", "doctor", "explain", "simulate", "schema", "import"];

test.each([
  ["instal", "install"],
  ["isntall", "install"],
  ["unistall", "uninstall"],
  ["Doctor", "doctor"],
  ["docter", "doctor"],
  ["explane", "explain"],
  ["sim", "simulate"],
  ["xyzzy", null],
  ["", null],
  ["a", null],
  ["delete", null],
  ["x".repeat(100_000), null],
])("nearest to %s is %s", (word, expected) => {
  expect(nearest(word, commands)).toBe(expected);
});

test.each([
  ["9m", 540_000],
  ["1h30m", 5_400_000],
  ["1H", 3_600_000],
  ["90", 90_000],
  ["1.5", 1_500],
  [" 30s ", 30_000],
  ["", null],
  ["m", null],
  ["30m1h", null],
  ["-5s", null],
  ["5 s", null],
  ["1e3", null],
  ["9".repeat(50), null],
])("a duration of %j is %s ms", (written, ms) => {
  expect(parseDuration(written)).toBe(ms);
});

test.each([540_000, 5_400_000, 90_000, 1_000, 0, 3_661_000])(
  "%d ms is written so that it is read back",
  (ms) => {
    expect(parseDuration(formatDuration(ms))).toBe(ms);
  },
);
