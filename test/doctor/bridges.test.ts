import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { starts as opencodeStarts } from "../../src/agents/opencode/starts.ts";
import { starts as piStarts } from "../../src/agents/pi/starts.ts";
import { envelopeOf, holdfast, makePlace, type Place } from "../cli/harness.ts";

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const hourMs = 3_600_000;
/** So many hours before now. */
const hoursAgo = (hours: number) => new Date(Date.now() - hours * hourMs);

function put(path: string, text: string, time: Date): void {
  const file = join(place.home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  utimesSync(file, time, time);
}

/** Installs an agent's bridge, written a number of hours ago. */
async function bridge(agent: string, path: string, hours: number): Promise<void> {
  await holdfast(place, ["install", "--yes", "--agent", agent]);
  utimesSync(join(place.project, path), hoursAgo(hours), hoursAgo(hours));
}

async function told(agent: string) {
  const { json } = await envelopeOf(place, ["doctor", "--agent", agent]);
  const findings = json.findings as { code: string; severity: string; message: string; hint: string }[];
  return findings
    .filter(({ code }) => code.startsWith("HF5"))
    .map(({ code, severity, message, hint }) => [code, severity, message, hint]);
}

const bridges: [string, string, string][] = [
  ["opencode", "OpenCode", ".opencode/plugins/holdfast.js"],
  ["kilo", "Kilo Code", ".kilo/plugin/holdfast.js"],
  ["pi", "pi", ".pi/extensions/holdfast.js"],
  ["cline", "Cline", ".cline/plugins/holdfast.js"],
  ["amp", "Amp", ".amp/plugins/holdfast.js"],
];

describe.each(bridges)("%s", (agent, title, path) => {
  const notYet = (hours: number) => [
    "HF503",
    "info",
    `${title} has not loaded its bridge since it was written ${hours} h ago`,
    `Start ${title} here once, then: holdfast doctor`,
  ];

  test("never loaded since it was written: a notice, and how to settle it", async () => {
    await bridge(agent, path, 5);
    expect(await told(agent)).toContainEqual(notYet(5));
  });

  test("a sign that is older than the bridge says nothing about this one; a newer one settles it", async () => {
    await bridge(agent, path, 5);
    put(`.holdfast/alive/${agent}`, "{}\n", hoursAgo(6));
    expect(await told(agent)).toContainEqual(notYet(5));
    put(`.holdfast/alive/${agent}`, "{}\n", hoursAgo(4));
    expect((await told(agent)).map(([code]) => code)).not.toContain("HF503");
  });
});

describe("the agent's own traces", () => {
  const log = (hours: number, folder = place.project) =>
    `timestamp=${hoursAgo(hours).toISOString()} level=INFO run=9a message=created id=ses_1 slug=a version=1.18.33 projectID=global directory=${folder} path=""\n`;
  const logFile = ".local/share/opencode/log/opencode.log";
  const sessions = () => `.pi/agent/sessions/--${place.project.slice(1).replaceAll("/", "-")}--`;
  const failed = (title: string, hours: number) =>
    `${title} was started here ${hours} h ago and did not load its bridge: nothing was guarded`;

  test("OpenCode was started since, and the bridge gave no sign: an error", async () => {
    await bridge("opencode", ".opencode/plugins/holdfast.js", 5);
    put(logFile, log(3) + log(4), hoursAgo(0));
    expect(await told("opencode")).toEqual([
      ["HF502", "error", failed("OpenCode", 3), "Restart OpenCode; it loads plugins when it starts."],
    ]);
  });

  test("what OpenCode itself has against the bridge is told as the cause", async () => {
    await bridge("opencode", ".opencode/plugins/holdfast.js", 5);
    const file = join(place.project, ".opencode/plugins/holdfast.js");
    const failure = (path: string, error: string) =>
      `timestamp=2026-11-30T13:36:42.904Z level=ERROR run=b message="failed to load plugin" path=file://${path} error=${error}\n`;
    put(logFile, failure("/x.js", "other") + failure(file, "it is broken") + log(3), hoursAgo(0));
    const { stdout } = await holdfast(place, ["doctor", "--agent", "opencode"]);
    expect(stdout).toContain(`${failed("OpenCode", 3)}\n         it is broken\n         → Restart OpenCode`);
  });

  test("a start before the bridge, in another project, or just now proves nothing", async () => {
    await bridge("opencode", ".opencode/plugins/holdfast.js", 5);
    put(logFile, log(6) + log(3, `${place.project}/other`) + log(3, place.home) + log(0), hoursAgo(0));
    expect((await told("opencode")).map(([code]) => code)).toEqual(["HF503"]);
  });

  test("it loaded once, and at a later start it did not", async () => {
    await bridge("opencode", ".opencode/plugins/holdfast.js", 5);
    put(".holdfast/alive/opencode", "{}\n", hoursAgo(4));
    put(logFile, log(4), hoursAgo(0));
    expect((await told("opencode")).map(([code]) => code)).toEqual(["HF501"]);
    put(logFile, log(4) + log(2), hoursAgo(0));
    expect((await told("opencode")).map(([, , message]) => message)).toEqual([failed("OpenCode", 2)]);
  });

  test("pi: a session of this project that began after the bridge was written", async () => {
    await bridge("pi", ".pi/extensions/holdfast.js", 5);
    const name = (hours: number) => `${hoursAgo(hours).toISOString().replace(/[:.]/g, "-")}_4f.jsonl`;
    put(`${sessions()}/${name(6)}`, "", hoursAgo(0));
    expect((await told("pi")).map(([code]) => code)).toEqual(["HF503"]);
    put(`${sessions()}/${name(2)}`, "", hoursAgo(0));
    const [found] = await told("pi");
    expect(found?.slice(0, 3)).toEqual(["HF502", "error", failed("pi", 2)]);
    expect(found?.[3]).toContain("type /trust");
  });

  test("an event that came through the bridge is a sign of life as well", async () => {
    await bridge("opencode", ".opencode/plugins/holdfast.js", 5);
    const entry = { at: hoursAgo(1).toISOString(), agent: "opencode", event: "pre-tool", session: "s" };
    put(".holdfast/journal.jsonl", `${JSON.stringify(entry)}\n`, hoursAgo(1));
    expect(await told("opencode")).toEqual([]);
    await bridge("cline", ".cline/plugins/holdfast.js", 5);
    put(".holdfast/journal.jsonl", `${JSON.stringify({ ...entry, agent: "cline" })}\n`, hoursAgo(1));
    // Cline's script sends events too, so they prove nothing about its plugin.
    expect((await told("cline")).map(([code]) => code)).toEqual(["HF503"]);
  });

  test("lines and names of other shapes are passed over", () => {
    const time = "2026-11-30T13:34:46.675Z";
    const quoted = `timestamp=${time} level=INFO message=created id=ses_1 directory="/a b" path=""`;
    const other = `timestamp=${time} level=INFO message=bootstrapping directory=/a`;
    expect(
      opencodeStarts.times(`${quoted}\n${other}\ntimestamp=x message=created id=ses_2 directory=/a`, "/a b"),
    ).toEqual([Date.parse(time)]);
    expect(opencodeStarts.complaint(other, "/a")).toBeNull();
    expect(piStarts.times("2026-11-30T13-34-46-675Z_x.jsonl\nnotes.txt\n", "/a")).toEqual([
      Date.parse("2026-11-30T13:34:46Z"),
    ]);
  });
});

test("a bridge whose content is not what this version writes is told", async () => {
  await bridge("kilo", ".kilo/plugin/holdfast.js", 5);
  const file = join(place.project, ".kilo/plugin/holdfast.js");
  writeFileSync(file, "// holdfast managed file 0000000000000000\nexport default {}\n");
  const { json } = await envelopeOf(place, ["doctor", "--agent", "kilo"]);
  expect(json.findings).toContainEqual(
    expect.objectContaining({
      code: "HF102",
      severity: "warning",
      file,
      message: "our entry was changed by hand, or an earlier version wrote it",
    }),
  );
});
