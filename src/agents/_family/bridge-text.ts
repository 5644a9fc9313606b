import { managedMark } from "../../core/setup.ts";

/**
 * The text of a bridge as it is installed: one file that imports nothing but Node's own modules. The shared
 * parts stand in front, without their `export`s; the imports that led to them are gone.
 */
export function bridgeText(bridge: string, parts: readonly string[]): string {
  const shared = parts.map((part) =>
    withoutImports(part).replace(/^export (?=async |const |function )/gm, ""),
  );
  const texts = [`// ${managedMark}`, ...shared, withoutImports(bridge)];
  return `${texts.map((text) => text.trimEnd()).join("\n\n")}\n`;
}

function withoutImports(text: string): string {
  return text.replace(/^import \{[^}]*\} from "\.[^"]*";\n/gm, "");
}
