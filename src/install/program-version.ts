import { readFileSync, realpathSync } from "node:fs";
import { basename, sep } from "node:path";
import { dict, text } from "../core/read.ts";

/**
 * The version of an installed program, told by where it lies: the package that holds it, or a folder on the way
 * to it that is named after a version. Null where neither tells. Nothing is started: some agents take seconds to
 * say their version, one unpacks 235 MB for it. ran: Copilot CLI 1.0.102, 2026-11-30
 *
 * @param names what the program's own folder may be called, besides its own name
 */
export function programVersion(program: string, names: readonly string[]): string | null {
  const real = realOf(program);
  return real === null ? null : (packageVersion(real) ?? pathVersion(real, names));
}

/** Only a package in `node_modules` counts: a program in somebody's checkout lies below another project. */
function packageVersion(real: string): string | null {
  const parts = real.split(sep);
  const at = parts.lastIndexOf("node_modules");
  if (at < 0) return null;
  const depth = parts[at + 1]?.startsWith("@") ? 3 : 2;
  const said = versionIn([...parts.slice(0, at + depth), "package.json"].join(sep));
  return said?.replace(platformSuffix, "") ?? null;
}

/** Packages of one platform carry it in their version: `0.171.0-linux-x64`. */
const platformSuffix = /-(?:linux|darwin|win32|windows|alpine|musl)\b.*$/;

/** `…/share/claude/versions/2.1.332`, `…/Cellar/opencode/1.18.33/bin/opencode`: the name, then the version. */
function pathVersion(real: string, names: readonly string[]): string | null {
  const parts = real.split(sep);
  const own = [basename(real), ...names];
  const isOwn = (part: string) => own.some((name) => part === name || part.startsWith(`${name}-`));
  const found = parts.find(
    (part, index) => isVersion.test(part) && parts.slice(Math.max(0, index - 2), index).some(isOwn),
  );
  return found?.replace(/^v/, "") ?? null;
}

const isVersion = /^v?\d+\.\d+\.\d+(?:-[\w.]+)?$/;

function versionIn(file: string): string | null {
  try {
    return text(dict(JSON.parse(readFileSync(file, "utf8"))).version);
  } catch {
    return null;
  }
}

function realOf(program: string): string | null {
  try {
    return realpathSync(program);
  } catch {
    return null;
  }
}
