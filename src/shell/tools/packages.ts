import type { Call } from "../model.ts";
import { optionValue, optionValues, readOptions } from "../options.ts";
import { touch } from "../record.ts";

/** `npm pkg set …` and its like write `package.json`; `npm pack --pack-destination` writes into a folder. */
export function packageManager(call: Call): void {
  const parsed = readOptions(call.argv.slice(1), "Cw pack-destination prefix dir cwd workspace");
  for (const path of optionValues(parsed, "--pack-destination"))
    touch(call, "write", path, "the package is packed into it", { tree: true, keeps: true });
  const [verb, ...rest] = parsed.operands;
  const changes = verb === "pkg" ? /^(?:set|delete|fix)$/.test(rest[0] ?? "") : verb === "set-script";
  if (!changes) return;
  const folder = optionValue(parsed, "-C", "--prefix", "--dir", "--cwd");
  const file = folder === null ? "package.json" : `${folder}/package.json`;
  touch(call, "write", file, `${call.argv[0]} changes what it is told to`, { keeps: true });
}
