const signs = { held: "✓", failed: "✕", "not-run": "?" };

/** One row a proof, one column an agent, under the first three letters of its name; a legend below. */
export function tableOf(reports) {
  const words = new Map();
  for (const { proofs } of reports) {
    for (const proof of proofs) if (!words.has(proof.id)) words.set(proof.id, proof.words);
  }
  words.set("", "what it hands its hooks has the shape that is known");
  const heads = reports.map(({ agent }) => agent.slice(0, 3));
  const widest = Math.max(...[...words.values()].map((text) => text.length));
  const row = (text, cells) =>
    `${text.padEnd(widest)}  ${cells.map((cell) => cell.padEnd(3)).join(" ")}`.trimEnd();
  const rows = [...words].map(([id, text]) => {
    return row(
      text,
      reports.map((report) => (id === "" ? shapeSign(report) : proofSign(report, id))),
    );
  });
  const legend = reports.map(
    ({ title, version, ms }, at) => `${heads[at]}  ${title} ${version}, ${(ms / 1000).toFixed(0)} s`,
  );
  const signWords =
    "✓ held   ✕ differs from what is promised   ? could not be run   – does not apply   + only news";
  return [row("", heads), ...rows, "", ...legend, "", signWords].join("\n");
}

function proofSign({ proofs }, id) {
  return signs[proofs.find((proof) => proof.id === id)?.status] ?? "–";
}

function shapeSign({ payloads }) {
  if (payloads === null || payloads.comparedWith === null) return "–";
  if (payloads.failures.length > 0) return "✕";
  return payloads.notes.length > 0 ? "+" : "✓";
}

/** Everything about the cells that do not hold, in words. */
export function troublesOf({ title, why, proofs, payloads }) {
  const lines = why === "" ? [] : [`${title}: ${why}`];
  for (const proof of proofs.filter(({ status }) => status !== "held")) {
    lines.push(
      `${title}: ${proof.words}`,
      `  ${proof.why}`,
      `  told: ${proof.told}`,
      `  disk: ${proof.disk}`,
    );
  }
  if (payloads === null) return lines;
  const { failures, notes, comparedWith } = payloads;
  lines.push(...failures.map((words) => `${title}: changed since ${comparedWith}: ${words}`));
  lines.push(...notes.map((words) => `${title}: news since ${comparedWith}: ${words}`));
  return lines;
}
