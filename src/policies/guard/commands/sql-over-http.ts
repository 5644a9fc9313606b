import { literally } from "../../../shell/marks.ts";
import type { Step } from "../../../shell/model.ts";
import { optionValue, optionValues, readOptions } from "../../../shell/options.ts";
import { curlOptions, isAway } from "../../../shell/tools/fetch.ts";

/** Names under which databases take SQL: ClickHouse's `query`, InfluxDB's `q`, CrateDB's `stmt`. */
const keys = "sql|query|q|stmt|statement";
const field = new RegExp(`^(?:${keys})(?:==?|:=)(.*)$`, "is");
const inJson = new RegExp(`"(?:${keys})"\\s*:\\s*"((?:\\\\.|[^"\\\\])*)"`, "gi");
/** How a statement begins; other text may speak about updates and sets. */
const statement =
  /^\s*(?:drop\s+\w+\s|truncate\s+(?:table\s+)?[\w.`"]+\s*;?\s*$|alter\s+table\s|delete\s+from\s|update\s+[\w.`"]+\s+set\s+\S+\s*=|detach\s+table\s|with\s)/i;

/** SQL that `curl` and its like send to another machine: in the body, in a field of it, in the address. */
export function sentSql(step: Step): string[] {
  if (!/^(?:curl|wget|https?|xh)$/.test(step.name)) return [];
  const { urls, bodies } = step.name === "curl" || step.name === "wget" ? sent(step) : sentByWords(step);
  if (!urls.some(isAway)) return [];
  const texts = [...bodies, ...urls.flatMap(parametersOf)].flatMap((text) => [
    field.exec(text)?.[1] ?? text,
    ...[...text.matchAll(inJson)].map((found) => (found[1] ?? "").replace(/\\(.)/g, "$1")),
  ]);
  return texts.map((text) => decoded(literally(text))).filter((text) => statement.test(text));
}

/** GraphQL that deletes, sent to another machine: `mutation { deleteUser(id: 1) { id } }`. */
export function deletesByMutation(step: Step): boolean {
  const { urls, bodies } = sent(step);
  return urls.some(isAway) && bodies.some((text) => text.length < longestQuery && mutation.test(text));
}

const longestQuery = 8_000;
const mutation = /\bmutation\b[^{}]*\{\s*(?:\w+\s*:\s*)?(?:delete|remove|destroy)\w*\s*[({]/i;

/** What a command sends to a machine. */
interface Sent {
  readonly urls: readonly string[];
  readonly bodies: readonly string[];
  /** As it is written; null: not said. */
  readonly method: string | null;
}

/** What `curl` and `wget` send, as far as the command tells. */
export function sent({ args, stdin }: Step): Sent {
  const parsed = readOptions(args, `${curlOptions} post-data body-data method output-document`);
  const names = "-d --data --data-raw --data-binary --data-ascii --data-urlencode --json";
  const given = optionValues(parsed, ...names.split(" "), "--post-data", "--body-data");
  const bodies = given.map((text) => (text === "@-" ? stdin.text : text));
  if (optionValues(parsed, "-T", "--upload-file").includes("-")) bodies.push(stdin.text);
  const method = optionValue(parsed, "-X", "--request", "--method");
  return { urls: [...parsed.operands, ...optionValues(parsed, "--url")], bodies, method };
}

/** HTTPie: an optional method, the address, then fields. */
function sentByWords({ args, stdin }: Step): Sent {
  const words = args.filter((word) => !word.startsWith("-"));
  const at = /^[A-Z]+$/.test(words[0] ?? "") ? 1 : 0;
  const method = at === 1 ? (words[0] ?? null) : null;
  return { urls: words.slice(at, at + 1), bodies: [...words.slice(at + 1), stdin.text], method };
}

function parametersOf(url: string): string[] {
  return url
    .replace(/^[^?]*\??/s, "")
    .replace(/#.*$/s, "")
    .split("&")
    .filter((part) => field.test(part));
}

function decoded(text: string): string {
  if (/\s/.test(text)) return text;
  return text
    .replaceAll("+", " ")
    .replace(/%([0-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
