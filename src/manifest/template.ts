import type { Answers } from "./edit.ts";
import { manifestVersion, type Section, schemaComment, sections } from "./schema.ts";

/** A fresh manifest: every key with its value (the default where none is given) and a few words beside it. */
export function manifestTemplate(answers: Answers): string {
  const lines = [
    schemaComment,
    "# What Holdfast guards and checks. Every key may be left out; an edit counts from the next event on.",
    `version: ${manifestVersion}`,
  ];
  for (const [name, section] of Object.entries<Section>(sections)) {
    const given = (answers as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[name] ?? {};
    lines.push("", `# ${section.words}`, `${name}:`);
    for (const [key, field] of Object.entries(section.keys)) {
      const written = field.write(given[key] === undefined ? field.default : given[key]);
      const value = written === "" ? "" : ` ${written}`;
      lines.push(...withNote(`  ${key}:${value}`, field.note));
    }
  }
  return `${lines.join("\n")}\n`;
}

/** Notes stand at one column; beside a line too long for that they go above it. */
function withNote(line: string, note: string): string[] {
  if (note === "") return [line];
  if (line.length > 34) return [`  # ${note}`, line];
  return [`${line.padEnd(36)} # ${note}`];
}
