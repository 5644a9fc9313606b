import { commands } from "./catalog.ts";
import type { Option, Paint, Spec } from "./command.ts";
import { table } from "./output.ts";
import { globalOptions } from "./parse.ts";

/** The overview of `holdfast --help`. */
export function overview(version: string, paint: Paint): string {
  const rows = Object.entries(commands).map(([name, { summary }]) => [paint.bold(name), summary]);
  return [
    `Holdfast ${version}: the same hooks for every AI coding agent.`,
    "",
    "Usage  holdfast <command> [options]",
    "",
    ...table(rows),
    "",
    "Options of every command",
    ...optionLines(globalOptions),
    "",
    "holdfast help <command> says more about one.",
  ].join("\n");
}

/** The page of `holdfast help <command>`. */
export function commandHelp(name: string, spec: Spec, paint: Paint): string {
  const own = Object.keys(spec.options).length === 0 ? [] : ["", "Options", ...optionLines(spec.options)];
  const examples =
    spec.examples.length === 0 ? [] : ["", "Examples", ...spec.examples.map((line) => `  ${line}`)];
  const summary = commands[name]?.summary ?? "";
  return [
    `${paint.bold(`holdfast ${name}`)}: ${summary}`,
    "",
    `Usage  holdfast ${spec.usage}`,
    ...own,
    ...examples,
    ...(spec.notes === undefined ? [] : ["", ...spec.notes]),
    "",
    `Also   ${Object.keys(globalOptions)
      .map((option) => `--${option}`)
      .join(" ")}`,
  ].join("\n");
}

function optionLines(options: Readonly<Record<string, Option>>): string[] {
  return table(
    Object.entries(options).map(([name, option]) => [
      `${option.short === undefined ? "" : `-${option.short}, `}--${name}${option.value === undefined ? "" : ` <${option.value}>`}`,
      option.help,
    ]),
  );
}
