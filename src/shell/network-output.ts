import { SOME } from "./marks.ts";
import { type Call, noText, type Origin, type Stream, unknownText } from "./model.ts";
import { has, optionValues, readOptions } from "./options.ts";

/** What a download prints; nothing when it saves to a file. */
export function network(call: Call): Stream {
  const from: Origin = "network";
  const [name = "", ...args] = call.argv;
  const parsed = readOptions(args, name === "curl" ? "o output" : "O output-document");
  const outputs = optionValues(parsed, "-o", "--output", "-O", "--output-document");
  const prints = outputs.some((file) => /^(?:-|\/dev\/stdout|\/proc\/self\/fd\/1)$/.test(file));
  if (prints) return { text: SOME, from };
  const saves =
    name === "curl" && (outputs.length > 0 || has(parsed, "-O", "--remote-name", "--remote-name-all"));
  return saves || /^wget2?$/.test(name) ? noText : { text: SOME, from };
}

/** `gh api`, `gh gist view`: what somebody put on the server. */
export function hosted(call: Call): Stream {
  const fetches = /^(?:api|gist|snippet)$/.test(call.argv[1] ?? "");
  return fetches ? { text: SOME, from: "network" } : unknownText;
}

/** `gsutil cat`, `gsutil cp gs://b/x -`. */
export function cloudText(call: Call): Stream {
  const prints = call.argv.some((word) => /^(?:cat|-|\/dev\/stdout)$/.test(word));
  return prints ? { text: SOME, from: "network" } : unknownText;
}
