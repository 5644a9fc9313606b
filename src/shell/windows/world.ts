import type { World } from "../../core/world.ts";

/**
 * The world in the form that commands are weighed in: on Windows every path is `/C:/folder/file`, whether a
 * command spells it `C:\folder\file`, `c:/folder/file` or, as Git Bash does, `/c/folder/file`.
 */
export function shellWorld(world: World): World {
  if (world.platform !== "win32") return world;
  return {
    ...world,
    root: world.root === null ? null : drivePath(world.root),
    cwd: drivePath(world.cwd),
    home: drivePath(world.home),
    tmp: world.tmp.map(drivePath),
    realpath: (path) => drivePath(world.realpath(path.replace(/^\/(?=[A-Za-z]:)/, ""))),
  };
}

/** An absolute path of Windows in that form; other text stays as it is. */
export function drivePath(written: string): string {
  const found = /^(?:\/?([A-Za-z]):(?=[\\/]|$)|\/(?:mnt\/|cygdrive\/)?([A-Za-z])(?=\/|$))(.*)$/s.exec(
    written,
  );
  if (found === null) return written;
  const rest = (found[3] ?? "").replaceAll("\\", "/");
  return `/${(found[1] ?? found[2] ?? "").toUpperCase()}:${rest}`;
}
