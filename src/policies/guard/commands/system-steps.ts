import { lies } from "../../../paths/lies.ts";
import { DEEP, isBroad, isKnown, PID_BY_NAME, STAR } from "../../../shell/marks.ts";
import type { Step } from "../../../shell/model.ts";
import { absolute } from "../../../shell/place.ts";
import type { View } from "./rule.ts";
import { zoneOf } from "./zones.ts";

/** `chmod -R 777 /etc`, `takeown /r`: mode or owner of more than a named part of the project. */
export function treeMode(step: Step, view: View): boolean {
  const recursive = step.args.some((word) => /^-[a-zA-Z]*R|^--recursive$|^\/[tTrRsS]$/.test(word));
  const windows = /^(?:i?cacls|takeown|attrib|set-acl)$/.test(step.name);
  const marks = windows || step.name === "chattr";
  const dashed = windows ? /^[-/+=][a-zA-Z]+$|^--/ : marks ? /^[-+=][a-zA-Z]+$|^--/ : /^-/;
  const operands = step.args.filter((word) => !dashed.test(word));
  const all = marks || step.args.some((word) => word.startsWith("--reference"));
  const targets = all ? operands : operands.slice(1);
  const opens = step.name === "chmod" && /^[ugoa]*\+[rwxt]*s|^[4-7]\d{3}$/.test(operands[0] ?? "");
  const spoils = step.name === "chmod" && /^(?:0?[0-6]\d\d|[ugoa]*-[rwx]+)$/.test(operands[0] ?? "");
  return targets.some((word) => {
    // What `find` lists below a folder is that folder, as far as it goes.
    const deep = word.indexOf(`/${DEEP}`);
    const named = absolute(step.cwd, deep < 0 ? word : word.slice(0, deep) || "/");
    const path = step.place === "host" && isKnown(named) ? lies(named, view.world) : named;
    const zone = zoneOf(path, view.world);
    const openEnd = isBroad(path.slice(path.lastIndexOf("/") + 1))
      ? zoneOf(path.slice(0, path.lastIndexOf("/")) || "/", view.world)
      : zone;
    const wide = zone === "system" || zone === "home" || openEnd === "system" || openEnd === "home";
    if (spoils && /^\/(?:usr\/)?s?bin\//.test(path)) return true;
    if ((opens || step.name === "set-acl") && zone === "system") return true;
    if (recursive || (deep >= 0 && word.endsWith(STAR)))
      return (
        wide ||
        zone === "outside" ||
        (zone === "root" && path !== (view.world.root ?? "")) ||
        zone === "unknown"
      );
    return (
      /^(?:\/|\/[A-Z]:(?:\/(?:Windows|Users|Program Files)?)?|\/(?:etc|usr|bin|sbin|lib|boot|dev|var|root|home|sys|proc)(?:\/(?:passwd|shadow|sudoers|bin|sbin|lib)?)?)$/.test(
        path,
      ) || zone === "device"
    );
  });
}

/** `kill -9 -1`, `kill $(pgrep node)`: every process, or those of a name. */
export function killsMany(step: Step): boolean {
  if (step.name === "stop-process" || step.name === "spps") {
    const named = step.args.some((word) => /^-(?:id|i|inputobject)$/i.test(word));
    const numbers = step.args.filter((word) => !word.startsWith("-"));
    return !named && !(numbers.length > 0 && numbers.every((word) => /^\d+$/.test(word)));
  }
  if (step.name === "fuser")
    return (
      step.args.some((word) => /^-\w*k|^--kill$/.test(word)) &&
      step.args.some((word) => /^(?:-\w*m|\/$)/.test(word))
    );
  // Signal 0 only asks whether a process lives.
  if (step.args.includes("-0") || (step.args[0] === "-s" && step.args[1] === "0")) return false;
  if (step.args.includes(PID_BY_NAME)) return true;
  const rest = step.args.filter(
    (word, at) => !(at === 0 && /^-(?:[a-zA-Z]+|\d+)$/.test(word) && step.args.length > 1),
  );
  if (rest.some((word) => word === "-1" || word === "--") && rest.includes("-1")) return true;
  if (step.args.some((word) => /^-name$/i.test(word))) return true;
  return rest.some((word) => word === "1" || (word === "0" && step.args.length > 1));
}
