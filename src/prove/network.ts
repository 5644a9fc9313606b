import { endAll, type RunOptions, run } from "./process.ts";

/** Set in a worker that can reach nothing but its own machine. */
export const insideMark = "HOLDFAST_PROVE_INSIDE";

const bringUp = "ip link set lo up 2>/dev/null || ifconfig lo up";

/**
 * The words that start a command in a network of its own with nothing but loopback, or null where that
 * cannot be had: it takes Linux with `unshare`, and `ip` or `ifconfig` to bring loopback up.
 */
export async function loopbackOnly(platform: string, options: RunOptions): Promise<string[] | null> {
  if (platform !== "linux") return null;
  // Root may be refused one way and allowed the other, depending on the container.
  for (const flags of ["-n", "-rn"]) {
    const prefix = ["unshare", flags, "sh", "-c", `{ ${bringUp}; } && exec "$@"`, "sh"];
    const ran = await run([...prefix, "true"], options);
    if (ran.exitCode === 0) return prefix;
  }
  return null;
}

/**
 * Ends what was started, with `signal`, and runs `cleanUp` when the person interrupts or this process is
 * told to end. Returns the undo.
 */
export function onInterrupt(signal: NodeJS.Signals, cleanUp: () => void): () => void {
  const leave = () => {
    endAll(signal);
    cleanUp();
  };
  const exit = () => process.exit(130);
  const signals: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];
  process.on("exit", leave);
  for (const name of signals) process.on(name, exit);
  return () => {
    process.off("exit", leave);
    for (const name of signals) process.off(name, exit);
  };
}
