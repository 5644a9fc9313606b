import type { World } from "../../../../core/world.ts";
import type { Touch } from "../../../../shell/model.ts";
import type { Pack, View } from "../rule.ts";
import { type Target, type Zone, zoneOf } from "../zones.ts";

const broad: readonly Zone[] = ["root", "home", "system", "outside", "unknown", "device"];
const away: readonly Zone[] = ["home", "system", "outside", "device"];

/** Deletes and overwrites that reach beyond a named part of the project. */
export const files: Pack = {
  name: "files",
  title: "Files and folders",
  rules: [
    {
      id: "files/rm-broad",
      words: "deletes a whole folder that is not a named part of the project",
      loss: "Everything below that folder, for good: the project, the home folder, another project or the system.",
      safer: "Delete the named folder inside the project that is meant, such as `rm -rf dist`.",
      touch: (touch, target, { world }) =>
        movesWholeFolder(touch, target, world) ||
        ((touch.action === "delete" ||
          (touch.action === "move" && /^(?:root|home|system)$/.test(target.zone))) &&
          touch.place !== "remote" &&
          target.everything &&
          (touch.place === "container"
            ? inContainer(touch.marked, target.zone)
            : broad.includes(target.zone))),
    },
    {
      id: "files/rm-remote",
      words: "deletes a whole folder on another machine",
      loss: "Everything below that folder on that machine; nothing here can bring it back.",
      safer: "List it first, such as `ssh host 'ls dist'`, and let a person delete it.",
      touch: (touch, target) => touch.action === "delete" && touch.place === "remote" && target.everything,
    },
    {
      id: "files/git-folder",
      words: "deletes or changes the repository's own `.git` folder",
      loss: "The whole history, or the checks that run on every commit.",
      safer: "Use git's own commands, such as `git status`, and leave the folder alone.",
      touch: (touch, target) =>
        target.zone === "git" &&
        touch.action !== "read" &&
        !(touch.keeps && touch.via.startsWith("git ")) &&
        !(touch.action === "delete" && isLeftLock(touch.path)) &&
        !isMessage(touch.path) &&
        !isHook(touch.marked),
    },
    {
      id: "files/delete-outside",
      match: ["journalctl --vacuum-time|--vacuum-size|--vacuum-files"],
      words: "deletes files outside the project and the temp folder, or moves them away",
      loss: "Files that belong to the person, another project or the system.",
      safer:
        "Delete only inside the project, such as `rm notes.txt`, or move the file to the trash: `trash notes.txt`.",
      touch: (touch, target, view) =>
        touch.place === "host" &&
        ((touch.action === "delete" &&
          !target.everything &&
          (away.includes(target.zone) || /^\/dev\/[a-z]+$/.test(touch.path))) ||
          movesAway(touch, target, view)),
    },
    {
      id: "files/overwrite-outside",
      words: "overwrites or truncates a file outside the project",
      loss: "What was in that file; nothing keeps the old text.",
      safer:
        "Write inside the project or the temp folder, such as `cp a.txt /tmp/a.txt`, and let a person put it in place.",
      touch: (touch, target, { world }) =>
        touch.action === "write" &&
        touch.place === "host" &&
        !isTempFolder(touch.marked, world) &&
        (unpacksOverSystem(touch) ||
          (!touch.keeps && !touch.tree && away.includes(target.zone) && target.zone !== "device")),
    },
  ],
};

/** Folders of the home folder that programs and logins depend on; other names with a dot may be files. */
const homeFolders = /^\.(?:ssh|gnupg|aws|azure|kube|docker|config|local|password-store|mozilla|thunderbird)$/;

/** `mv ~/Documents ./docs`, `mv ../other /tmp/`: by its place and name a folder of the person, or another project. */
function movesWholeFolder({ action, place, via, path }: Touch, { zone }: Target, world: World): boolean {
  if (action !== "move" || place !== "host" || zone !== "outside" || !via.startsWith("mv ")) return false;
  const parent = path.slice(0, path.lastIndexOf("/"));
  const name = path.slice(parent.length + 1);
  if (parent !== world.home && !(world.root ?? world.cwd).startsWith(`${parent}/`)) return false;
  return homeFolders.test(name) || /^[^.*?]+$/.test(name);
}

/** `mv ~/notes.md /tmp/`: from where nobody keeps it; a hidden file is missed where it was, wherever it goes. */
function movesAway(touch: Touch, target: Target, { world, touches }: View): boolean {
  if (touch.action !== "move" || target.zone !== "outside" || movesWholeFolder(touch, target, world))
    return false;
  const zones = touches
    .filter(({ action }) => action === "write")
    .map(({ marked }) => (isTempFolder(marked, world) ? "temp" : zoneOf(marked, world)));
  if (zones.some((zone) => zone === "temp" || zone === "unknown")) return true;
  return touch.path.startsWith(`${world.home}/.`) && zones.length > 0 && !zones.includes("project");
}

/** In a container only its top, its system folders and whole unknown folders are broad; its `/tmp` is nobody's. */
function inContainer(path: string, zone: Zone): boolean {
  if (/^\/(?:var\/)?tmp\//.test(path)) return false;
  return (
    zone === "system" ||
    zone === "home" ||
    zone === "root" ||
    /^[\uE000-\uE009]*$/.test(path) ||
    (/^\/[^/]*(?:\/[.\uE000-\uE009]*)*$/.test(path) && path !== "/tmp")
  );
}

/** `cp a.txt /tmp` writes into the folder; what lies there is nobody's treasure. */
function isTempFolder(path: string, { tmp }: World): boolean {
  return tmp.includes(path) || /^\/(?:private\/)?(?:var\/)?tmp$/.test(path);
}

/** Files of the same names in the folders of the system itself go under. */
function unpacksOverSystem({ tree, keeps, marked, via }: Touch): boolean {
  if (!tree || !keeps || via.startsWith("git ")) return false;
  return /^\/(?:(?:etc|bin|sbin|lib|lib64|boot|usr\/(?:bin|sbin|lib))(?:\/.*)?)?$/.test(marked);
}

/** `.git/index.lock`: left behind by a git that was ended, and git itself says to delete it. */
function isLeftLock(path: string): boolean {
  return /\/\.git\/(?:[\w./-]+\/)?[\w-]+\.lock$/.test(path);
}

/** `.git/COMMIT_EDITMSG`: the draft of a message, which git itself writes anew each time. */
function isMessage(path: string): boolean {
  return /\/\.git\/(?:[A-Z]+_)?(?:EDITMSG|MSG)$/.test(path);
}

export function isHook(path: string): boolean {
  return /\/\.git\/hooks(?:\/|$)/.test(path);
}
