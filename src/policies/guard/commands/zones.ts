import type { World } from "../../../core/world.ts";
import {
  DEEP,
  FEW,
  HOLE,
  hasUnknown,
  isBroad,
  isKnown,
  NOWHERE,
  STAR,
  shapeOf,
} from "../../../shell/marks.ts";
import type { Touch } from "../../../shell/model.ts";

/**
 * What kind of place a path is, by how much a mistake there would cost.
 * - `project`: a named thing in the project. `root`: the project itself or something above it.
 * - `git`: the repository's own folder. `temp`: below a temp folder. `home`: the home folder itself.
 * - `system`: the top or a folder of the system. `outside`: any other place that is not the project.
 * - `unknown`: begins with text that is not known. `device`: a raw device. `sink`: `/dev/null` and kin.
 */
export type Zone =
  | "project"
  | "root"
  | "git"
  | "temp"
  | "home"
  | "system"
  | "outside"
  | "unknown"
  | "device"
  | "sink";

/** The zone of the folder or file itself, without its wildcards. */
export function zoneOf(written: string, given: World): Zone {
  const world = given.platform === "win32" ? lowerCased(given) : given;
  const path = given.platform === "win32" ? written.toLowerCase() : written;
  const first = path[0];
  if (first === NOWHERE) return path === NOWHERE || path.startsWith(`${NOWHERE}/..`) ? "unknown" : "project";
  if (hasUnknown(first ?? "")) return "unknown";
  if (/^\/proc\/(?:self|thread-self|\d+)\/fd\/\d+$/.test(path)) return "sink";
  if (path.startsWith("/dev/")) return sinks.test(path) ? "sink" : "device";
  const root = world.root ?? world.cwd;
  if (path === root) return "root";
  if (path.startsWith(`${root}/`)) return isInGit(path.slice(root.length)) ? "git" : "project";
  // Home and what holds the project stay what they are, also where they lie in a temp folder.
  if (path === world.home) return "home";
  if (path === "/") return "system";
  if (root.startsWith(`${path}/`)) return "root";
  if (world.tmp.some((tmp) => path.startsWith(`${tmp}/`)) || /^\/(?:private\/)?(?:var\/)?tmp\/./.test(path))
    return "temp";
  if (isInGit(path)) return "git";
  // The home of root, or of a service, lies among the system's folders and is a home all the same.
  return systemFolders.test(path) && !path.startsWith(`${world.home}/`) ? "system" : "outside";
}

function isInGit(path: string): boolean {
  return path.includes(".git") && gitFolder.test(path);
}

/** Windows does not tell names apart by case. */
function lowerCased(world: World): World {
  return {
    ...world,
    root: world.root?.toLowerCase() ?? null,
    cwd: world.cwd.toLowerCase(),
    home: world.home.toLowerCase(),
    tmp: world.tmp.map((folder) => folder.toLowerCase()),
  };
}

/** A delete as a whole: where its target lies, and whether everything there goes. */
export interface Target {
  readonly zone: Zone;
  /** All of the folder's content, not a named part of it. */
  readonly everything: boolean;
}

/** Weighs the target of a delete or move: `dist/*` is about `dist`, `*` about the folder itself. */
export function targetOf(touch: Touch, world: World): Target {
  const parts = touch.marked.split("/");
  let everything = touch.tree;
  while (parts.length > 1 && isOpenEnd(parts.at(-1) ?? "")) {
    everything ||= parts.at(-1) === DEEP || parts.at(-2) === DEEP;
    parts.pop();
    if (parts.at(-1) === "" && parts.length === 1) break;
  }
  const base = parts.length === 1 && parts[0] === "" ? "/" : parts.join("/");
  const narrowed = parts.length < touch.marked.split("/").length;
  // `/tmp/$name` is some folder of one's own there, even if the name may be empty.
  const holdsProject = (world.root ?? world.cwd).startsWith(`${base}/`);
  if (touch.marked.includes(HOLE, base.length) && !holdsProject && world.tmp.includes(base))
    return { zone: "temp", everything: true };
  const zone = zoneOf(untilWildcard(base), world);
  const git = touch.tree && parts.some(mayBeGit) && zone === "project";
  return { zone: git ? "git" : named(zone, base, world), everything: touch.tree || (narrowed && everything) };
}

/** `.g*t`: a name that begins with a dot, and that a wildcard leaves open. */
function mayBeGit(segment: string): boolean {
  return segment[0] === "." && segment.length > 2 && !isKnown(segment) && shapeOf(segment).test(".git");
}

/** A last segment that picks everything, or that may be empty. */
function isOpenEnd(segment: string): boolean {
  return (
    segment === "" ||
    segment === DEEP ||
    (isBroad(segment) && !segment.includes(FEW) && mayBeAnything(segment))
  );
}

/** `*` picks every name and an unset variable may be empty; the output of a program is some name. */
function mayBeAnything(segment: string): boolean {
  return segment.includes(HOLE) || !hasUnknown(segment) || segment.includes(STAR);
}

/** The part of a path in front of its first unsure segment, unless that is the first. */
function untilWildcard(path: string): string {
  if (isKnown(path)) return path;
  const parts = path.split("/");
  const at = parts.findIndex((part, index) => index > 0 && !isKnown(part));
  if (at <= 0) return path;
  const before = parts.slice(0, at).join("/");
  const segment = parts[at] ?? "";
  // `~/a*` is not the home folder; what a wildcard leaves open counts as a name below it.
  return (
    `${before}/${segment === DEEP ? FEW : isBroad(segment) && segment.includes(HOLE) ? "" : "x"}`.replace(
      /\/$/,
      "",
    ) || "/"
  );
}

function named(zone: Zone, base: string, world: World): Zone {
  if (zone !== "project") return zone;
  const root = world.root ?? world.cwd;
  const below = base.slice(root.length).split("/");
  return below.includes(".git") ? "git" : zone;
}

const gitFolder =
  /(?:^|\/)\.git(?:\/(?:objects|refs|hooks|logs|info|worktrees|modules|HEAD|config|index|packed-refs)\b.*)?$/;
const sinks =
  /^\/dev\/(?:null|zero|full|random|urandom|stdin|stdout|stderr|tty\w*|ptmx|fd\/.*|shm\/.*|tcp\/.*|udp\/.*|pts\/.*)$/;
const systemFolders =
  /^\/(?:bin|boot|dev|etc|lib|lib32|lib64|libx32|media|mnt|opt|proc|root|run|sbin|srv|sys|usr|var|home|Users|System|Library|Applications|Volumes|private|cores|nix|snap|tmp|[A-Za-z]:)(?:\/|$)/i;
