import { SOME } from "./marks.ts";
import { type Call, noText, type Origin, type Stream, unknownText } from "./model.ts";
import { has, readOptions } from "./options.ts";

/** What a download prints; nothing when it saves to a file. */
export function network(call: Call): Stream {
  const from: Origin = "network";
  const args = call.argv.slice(1);
  const saves =
    call.argv[0] === "curl" ? has(readOptions(args, "o"), "-o", "-O", "--output", "--remote-name") : false;
  const quietly =
    call.argv[0] === "wget" && !args.some((word) => /^-\w*O-?$|^--output-document=-$|^-$/.test(word));
  return saves || quietly ? noText : { text: SOME, from };
}

/** `gh api`, `gh gist view`: what somebody put on the server. */
export function hosted(call: Call): Stream {
  const fetches = /^(?:api|gist|snippet)$/.test(call.argv[1] ?? "");
  return fetches ? { text: SOME, from: "network" } : unknownText;
}

/** `gsutil cat` and its like. */
export function cloudText(call: Call): Stream {
  return call.argv.includes("cat") ? { text: SOME, from: "network" } : unknownText;
}
