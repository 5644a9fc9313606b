import { type Call, type Stream, textStream, unknownText } from "./model.ts";
import { has, readOptions } from "./options.ts";
import { absolute } from "./place.ts";

/**
 * Where a package manager says that packages lie: the project's own, or, asked with `-g`, those that all projects
 * of the machine share. The shared folder differs from machine to machine; that it is outside is what counts.
 */
export function packageFolder(call: Call): Stream {
  const parsed = readOptions(call.argv.slice(1), "- location dir prefix");
  const [verb = "", ...rest] = parsed.operands;
  const wide =
    has(parsed, "-g", "--global") ||
    parsed.options.some(([name, value]) => name === "--location" && value === "global");
  const asked = verb === "global" ? (rest[0] ?? "") : verb;
  const shared = wide || verb === "global";
  switch (asked) {
    case "root":
    case "dir":
      return folder(shared ? "/usr/local/lib/node_modules" : absolute(call.scope.cwd, "node_modules"));
    case "bin":
      return folder(shared ? "/usr/local/bin" : absolute(call.scope.cwd, "node_modules/.bin"));
    case "prefix":
      return folder(shared ? "/usr/local" : (call.run.world.root ?? call.scope.cwd));
    case "config":
    case "get":
      return rest.at(-1) === "prefix" ? folder("/usr/local") : unknownText;
    default:
      return unknownText;
  }
}

function folder(path: string): Stream {
  return textStream(`${path}\n`);
}
