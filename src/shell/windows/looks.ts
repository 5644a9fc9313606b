import type { World } from "../../core/world.ts";
export function looksWindows(_t: string, _w: World): boolean {
  return false;
}
