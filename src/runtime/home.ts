import { isAbsolute, join } from "node:path";
import type { Env } from "./environment.ts";

/**
 * Where Holdfast keeps its own files: `$HOLDFAST_HOME`, else `~/.holdfast`. A relative value would be another
 * folder in every directory, so it does not count.
 */
export function holdfastHome(env: Env, home: string): string {
  const own = env.HOLDFAST_HOME;
  return own && isAbsolute(own) ? own : join(home, ".holdfast");
}
