// Where agents keep what Holdfast writes, found by asking each agent for its plans on an imagined machine whose
// folders are recognisable and whose every variable is set.

import { posix } from "node:path";

/** `{ ours, shared, homes }` as in `core/own.ts`, sorted. */
export function nativeFiles(catalog) {
  const found = { ours: new Set(), shared: new Set() };
  const homes = new Set();
  for (const setup of Object.values(catalog)) {
    for (const scope of setup.scopes) collect(setup, scope, found);
    for (const folder of setup.detect.folders) for (const home of homesBy(`~/${folder}`)) homes.add(home);
  }
  for (const file of [...found.ours, ...found.shared]) for (const home of homesBy(file)) homes.add(home);
  return { ours: [...found.ours].sort(), shared: [...found.shared].sort(), homes: [...homes].sort() };
}

/** The folder of the agent that a file below the person's home, or below a variable, lies in. */
function homesBy(file) {
  const [top, first, second] = file.split("/");
  if (top === "<root>") return [];
  // What the agents share, such as `~/Documents`, is nobody's own.
  if (top === "~" && first === ".config")
    return [".config", ".local/share", ".local/state"].map((folder) => `~/${folder}/${second}`);
  if (top === "~") return [first.startsWith(".") ? `~/${first}` : `~/${first}/${second}`];
  const below = top === "$XDG_CONFIG_HOME" || first.startsWith(".");
  return [below ? `${top}/${first}` : top];
}

/** Asks once with no variable set, and once more for each variable the agent looked at. */
function collect(setup, scope, found) {
  const asked = new Set();
  keep(setup, scope, imagined({}, asked), found);
  for (const name of asked) keep(setup, scope, imagined({ [name]: `/$${name}` }, new Set()), found);
}

function imagined(env, asked) {
  const watched = new Proxy(env, {
    get(values, name) {
      if (typeof name === "string") asked.add(name);
      return values[name];
    },
  });
  // Git's hooks are found from the repository at hand.
  return { home: "/~", root: "/<root>", env: watched, platform: "linux", gitHooks: null };
}

function keep(setup, scope, machine, found) {
  for (const plan of setup.files(scope, machine)) {
    // A file with our name in its path is there for us alone, whatever its format.
    const mine = plan.kind === "own-file" || plan.kind === "hook-script" || plan.file.includes("/holdfast");
    if (mine && plan.kind !== "hint") add(found.ours, plan.file);
    else if (plan.kind !== "lines" && plan.kind !== "hint") add(found.shared, plan.file);
  }
  for (const file of setup.settingsFiles?.(machine) ?? []) add(found.shared, file);
  // A file that is only there to switch hooks off.
  for (const off of setup.offSwitches) {
    if (off.kind === "mention") add(found.shared, off.file(machine));
    if (off.kind !== "shadow") continue;
    for (const { file } of setup.files(scope, machine))
      add(found.shared, posix.join(posix.dirname(file), off.name));
  }
}

function add(files, file) {
  if (/^\/(?:~|<root>|\$\w+)\//.test(file)) files.add(file.slice(1));
}
