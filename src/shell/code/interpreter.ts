import type { Call, Stream } from "../model.ts";
export function runInterpreter(_call: Call, _name: string): Stream | null {
  return null;
}
