import { parseArgs } from "node:util";

/**
 * Reads a script's arguments as `parseArgs` does. `--help` prints the usage and ends with 0; what is no argument of
 * the script is said with the usage and ends with 1.
 */
export function readArguments(usage, options, allowPositionals = false) {
  try {
    const help = { type: "boolean", short: "h" };
    const read = parseArgs({ options: { ...options, help }, allowPositionals });
    if (!read.values.help) return read;
  } catch (error) {
    console.error(`${error.message.split(". ")[0]}\nusage: ${usage}`);
    process.exit(1);
  }
  console.log(`usage: ${usage}`);
  process.exit(0);
}
