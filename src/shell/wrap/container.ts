import { NOWHERE } from "../marks.ts";
import { type Call, copyScope, type Mount, type Stream, single } from "../model.ts";
import { optionValue, optionValues, type Parsed, readOptions } from "../options.ts";
import { absolute } from "../place.ts";
import { recordStep } from "../record.ts";
import { away } from "./inside.ts";

const globalOptions = "Hlc host log-level context config";
const runOptions =
  "aecuvwlmhp add-host annotation cap-add cap-drop cgroupns cidfile cpus cpu-shares cpuset-cpus device dns entrypoint env env-file expose gpus group-add hostname init-path ip ipc isolation label link log-driver log-opt mac-address memory memory-swap mount name network network-alias net oom-score-adj pid pids-limit platform publish pull restart runtime security-opt shm-size stop-signal sysctl tmpfs ulimit user userns uts volume volumes-from workdir";
const composeOptions =
  "fpe file project-name profile env-file project-directory ansi parallel index user workdir volume entrypoint name publish label env";

/** `docker exec` and `docker run`; null for what runs nothing inside. */
export function dockerRun(call: Call): Stream | null {
  const { operands } = readOptions(call.argv.slice(1), globalOptions, true);
  const words = operands[0] === "container" ? operands.slice(1) : operands;
  const verb = words[0];
  if (operands[0] === "machine" && operands[1] === "ssh")
    return call.run.engine.text(call, operands.slice(2).join(" "), away(call, "remote"), call.stdin);
  if (operands[0] === "compose") return compose(call, operands.slice(1));
  if (verb !== "exec" && verb !== "run" && verb !== "create") return null;
  const parsed = readOptions(words.slice(1), runOptions, true);
  const [image = "", ...command] = parsed.operands;
  command.unshift(...started(verb === "exec" ? "" : image, command, optionValue(parsed, "--entrypoint")));
  return runInside(call, parsed, command, verb === "exec");
}

/** `docker compose exec|run service command`. */
export function compose(call: Call, words: readonly string[]): Stream | null {
  const { operands } = readOptions(words, composeOptions, true);
  if (operands[0] !== "exec" && operands[0] !== "run") return null;
  const parsed = readOptions(
    operands.slice(1),
    "euvwTlp env user volume workdir index name entrypoint publish label".replace("T", ""),
    true,
  );
  const [service = "", ...command] = parsed.operands;
  const entry = optionValue(parsed, "--entrypoint");
  command.unshift(...started(operands[0] === "exec" ? "" : service, command, entry));
  return runInside(call, parsed, command, true);
}

/** What stands in front of the command: the entry point that is given, or the program that the image is made for. */
function started(image: string, command: readonly string[], entry: string | null): string[] {
  if (entry !== null && entry !== "") return entry.split(" ");
  const name = /^(?:.*\/)?([\w.-]+?)(?::[^/]*|@.*)?$/.exec(image)?.[1] ?? "";
  const program = Object.hasOwn(programs, name) ? programs[name] : undefined;
  const named =
    command[0] === undefined || command[0] === program || /\/|^(?:ba|da|z|k)?sh$/.test(command[0]);
  return program === undefined || named ? [] : [program];
}

/** Images whose entry point is the program, by the last part of their name. */
const programs: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    "git terraform terragrunt kubectl helm flyway liquibase restic rclone pulumi migrate dbmate mc goreleaser"
      .split(" ")
      .map((name) => [name, name]),
  ),
  opentofu: "tofu",
  "aws-cli": "aws",
};

/** `kubectl exec pod -- command` and its like. */
export function kubectl(call: Call): Stream | null {
  const words = call.argv.slice(1);
  const at = words.findIndex(
    (word) => word === "exec" || word === "run" || word === "debug" || word === "rsh",
  );
  if (at < 0 || at > 6) return kubectlByItsName(call);
  const dashes = words.indexOf("--");
  const rest =
    dashes >= 0
      ? words.slice(dashes + 1)
      : readOptions(words.slice(at + 1), "cn container namespace image", true).operands.slice(1);
  if (rest.length === 0) return kubectlByItsName(call);
  return runInside(call, readOptions([]), rest, true);
}

/** `k` is what many call kubectl; others bring it along under a name of their own. */
function kubectlByItsName(call: Call): Stream | null {
  if (!/^(?:k|kubecolor|microk8s\.kubectl)$/.test(call.argv[0] ?? "")) return null;
  return call.run.engine.inner(call, ["kubectl", ...call.argv.slice(1)], { wrappers: call.wrappers });
}

/** `k3s kubectl delete ns x`, `minikube -p x kubectl -- delete ns x`: clusters that bring kubectl along. */
export function bundledKubectl(call: Call): Stream | null {
  const [first, ...rest] = readOptions(call.argv.slice(1), "p profile", true).operands;
  if (!/^(?:kubectl|helm3?)$/.test(first ?? "")) return null;
  const words = rest[0] === "--" ? rest.slice(1) : rest;
  return call.run.engine.inner(call, [first === "kubectl" ? first : "helm", ...words]);
}

/** `ddev exec …`, `ddev artisan …`, `lando mysql …`: tools in the containers of a project. */
export function boxed(call: Call): Stream | null {
  const [first = "", ...rest] = call.argv.slice(1);
  if (first === "exec" || first === "ssh")
    return runInside(call, readOptions([]), readOptions(rest, "sd service dir", true).operands, true);
  return boxedTools.test(first) ? runInside(call, readOptions([]), [first, ...rest], true) : null;
}

const boxedTools =
  /^(?:artisan|php|mysql|mariadb|psql|drush|wp|composer|npm|npx|yarn|console|python|rails|redis-cli)$/;

function runInside(call: Call, parsed: Parsed, command: readonly string[], known: boolean): Stream | null {
  if (!known) recordStep(call, call.argv[0] ?? "docker");
  const mounts = mountsOf(call, parsed);
  const folder = optionValue(parsed, "-w", "--workdir");
  const scope = copyScope(call.scope, { place: "container", mounts, cwd: folder ?? NOWHERE });
  scope.vars.set("HOME", single("/root"));
  if (command.length === 0)
    return call.stdin.text === "" ? null : call.run.engine.inner(call, ["cat"], { scope });
  return call.run.engine.inner(call, command, { scope, env: new Map() });
}

function mountsOf(call: Call, parsed: Parsed): Mount[] {
  const mounts: Mount[] = [];
  for (const volume of optionValues(parsed, "-v", "--volume")) {
    const [from = "", to = ""] = volume.split(":");
    if (/^[./~]|^[\uE000-\uE009]/.test(from) && to !== "")
      mounts.push({ from: absolute(call.scope.cwd, from), to: absolute("/", to) });
  }
  for (const mount of optionValues(parsed, "--mount")) {
    const parts = new Map(
      mount.split(",").map((part): [string, string] => {
        const [key = "", value = ""] = part.split("=", 2);
        return [key, value];
      }),
    );
    const from = parts.get("source") ?? parts.get("src");
    const to = parts.get("target") ?? parts.get("dst") ?? parts.get("destination");
    if (from !== undefined && to !== undefined && from.includes("/")) {
      mounts.push({ from: absolute(call.scope.cwd, from), to: absolute("/", to) });
    }
  }
  return mounts;
}
