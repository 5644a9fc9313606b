// Draws what `holdfast demo` really prints as docs/demo.svg, for the README. Run by hand after the demo changed:
// node scripts/build.mjs && node scripts/picture.mjs
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const colours = { 31: "#ff7b72", 32: "#7ee787", 33: "#e3b341", 36: "#79c0ff" };
const [charWidth, lineHeight, padding] = [8.43, 20, 24];

const { stdout, status, stderr } = spawnSync(process.execPath, [join(root, "dist/holdfast.cjs"), "demo"], {
  encoding: "utf8",
  env: { ...process.env, FORCE_COLOR: "1", COLUMNS: "100" },
});
if (status !== 0) throw new Error(stderr);
const lines = stdout.trimEnd().split("\n");
const columns = Math.max(...lines.map((line) => plain(line).length));
const width = Math.ceil(columns * charWidth + 2 * padding);
const height = lines.length * lineHeight + 2 * padding;
const rows = lines.map(
  (line, index) => `<text x="${padding}" y="${padding + 14 + index * lineHeight}">${spans(line)}</text>`,
);
writeFileSync(
  join(root, "docs/demo.svg"),
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="Output of holdfast demo">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="14" fill="#e6edf3" xml:space="preserve">
${rows.join("\n")}
</g>
</svg>
`,
);

function spans(line) {
  let style = {};
  return line
    .split(/(\u001b\[[0-9;]*m)/)
    .map((part) => {
      const code = /^\u001b\[([0-9;]*)m$/.exec(part)?.[1];
      if (code === undefined) return part === "" ? "" : `<tspan${attributes(style)}>${inXml(part)}</tspan>`;
      for (const one of code.split(";").map(Number)) style = next(style, one);
      return "";
    })
    .join("");
}

function next(style, code) {
  if (code === 0) return {};
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 39) return { ...style, fill: undefined };
  return colours[code] === undefined ? style : { ...style, fill: colours[code] };
}

function attributes({ fill, bold, dim }) {
  const colour = fill ?? (dim ? "#8b949e" : undefined);
  return `${colour ? ` fill="${colour}"` : ""}${bold ? ' font-weight="bold"' : ""}`;
}

function plain(line) {
  return line.replace(/\u001b\[[0-9;]*m/g, "");
}

function inXml(text) {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
}
