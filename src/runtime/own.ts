import { existsSync } from "node:fs";
import { join } from "node:path";
import { nativeFiles } from "../core/native-files.ts";
import type { Own } from "../core/own.ts";
import { findProject } from "../git/project.ts";
import type { Env } from "./environment.ts";
import { readText, realPath } from "./files.ts";
import { holdfastHome } from "./home.ts";

/**
 * What belongs to Holdfast on this machine: its manifests, its folders, the files that are wholly its own, and
 * the settings files that hold its entries. Looks at the disk, so it is asked only when something is changed.
 */
export function ownThings(root: string | null, cwd: string, env: Env, home: string): Own {
  const place = (files: readonly string[]) => files.flatMap((file) => patternsOf(file, root, env));
  const config = env.XDG_CONFIG_HOME?.startsWith("/") ? env.XDG_CONFIG_HOME : join(home, ".config");
  return {
    ours: [
      ...(root === null ? manifests.map((name) => literal(join(cwd, name))) : inProject),
      ...below(join(config, "holdfast"), "/**"),
      ...below(holdfastHome(env, home), "/**"),
      ...place(nativeFiles.ours),
      ...commitHook(root, home),
    ],
    shared: place(nativeFiles.shared),
    homes: nativeFiles.homes.flatMap((folder) => homeOf(folder, env, home)),
    isThere: (path) => existsSync(`${path}/.`) || namesHoldfast(path),
  };
}

const manifests = ["holdfast.yaml", "holdfast.yml"];
/** A manifest below the root counts for agents that start there. */
const inProject = [".holdfast/**", ...manifests.flatMap((name) => [`/${name}`, `**/${name}`])];

/** In the project also below its root: some agents read the settings of the folder they are started in. */
function patternsOf(file: string, root: string | null, env: Env): string[] {
  const slash = file.indexOf("/");
  const [top, rest] = [file.slice(0, slash), file.slice(slash + 1)];
  if (top === "~") return [file];
  if (top === "<root>") return root === null ? [] : [rest.includes("/") ? rest : `/${rest}`, `**/${rest}`];
  const folder = env[top.slice(1)];
  return folder ? below(folder, `/${rest}`) : [];
}

/** A variable that names the person's own home, or more, says nothing about an agent. */
function homeOf(folder: string, env: Env, home: string): string[] {
  const slash = folder.indexOf("/");
  const [top, rest] = slash < 0 ? [folder, ""] : [folder.slice(0, slash), folder.slice(slash)];
  const start = top === "~" ? home : (env[top.slice(1)] ?? "");
  return start.startsWith("/") && !`${home}/`.startsWith(`${start}${rest}/`) ? [start + rest] : [];
}

/** Only a hook that is ours, or calls us: a project's other hooks are judged by the rules about commits. */
function commitHook(root: string | null, home: string): string[] {
  const common = root === null ? null : (findProject(root, null, home)?.commonDir ?? null);
  if (common === null) return [];
  const hook = join(common, "hooks", "pre-commit");
  return namesHoldfast(hook) ? below(hook, "") : [];
}

function namesHoldfast(file: string): boolean {
  return readText(file)?.includes("holdfast") === true;
}

/** As written, and where its symlinks lead. */
function below(folder: string, rest: string): string[] {
  return [...new Set([folder, realPath(folder)])].map((path) => literal(path) + rest);
}

function literal(path: string): string {
  return path.replace(/[*?[{]/g, "[$&]");
}
