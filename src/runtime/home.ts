import { join } from "node:path";
import type { Env } from "./environment.ts";

/** Where Holdfast keeps its own files: `$HOLDFAST_HOME`, else `~/.holdfast`. */
export function holdfastHome(env: Env, home: string): string {
  return env.HOLDFAST_HOME || join(home, ".holdfast");
}
