import { type Call, noText, type Stream } from "../model.ts";
export function cmdletName(_name: string): string | null {
  return null;
}
export function runCmdlet(_call: Call, _name: string): Stream {
  return noText;
}
