// docs/rules.md: every rule with its words, what is lost, a safer way, what hits it and what must not.

export function rulesPage(packs, examples, guardRules) {
  const rules = packs.flatMap((pack) => pack.rules);
  const groups = rules.reduce(
    (map, rule) => map.set(packOf(rule), [...(map.get(packOf(rule)) ?? []), rule]),
    new Map(),
  );
  const parts = [...groups].map(
    ([name, members]) =>
      `## ${name}\n\n${members.map((rule) => section(rule, examples[rule.id])).join("\n")}`,
  );
  return [
    "# The guard's rules",
    "",
    "Printed from the code by `node scripts/generate.mjs`. Every command under *hits* is a test that the rule stops it, every",
    "one under *passes* a test that nothing does. How to change what a rule does: [settings.md](settings.md). The guard is a",
    "guard rail against mistakes, not a sandbox: [limits.md](limits.md).",
    "",
    `${rules.length + guardRules.length} rules: ${[...groups].map(([name, members]) => `[${name}](#${name}) ${members.length}`).join(" · ")} · [others](#others) ${guardRules.length}`,
    "",
    parts.join("\n"),
    "## others",
    "",
    guardRules.map((rule) => section(rule, examples[rule.id] ?? rule)).join("\n"),
  ].join("\n");
}

const packOf = ({ id }) => id.slice(0, id.indexOf("/"));

function section({ id, words, loss, safer }, { hits, misses }) {
  const facts = [`It ${words}.`, loss && `What could be lost: ${loss}`, safer && `Safer: ${safer}`].filter(
    Boolean,
  );
  return [
    `### ${id}`,
    "",
    ...facts.flatMap((line) => [line, ""]),
    block("hits", hits),
    "",
    block("passes", misses),
    "",
  ].join("\n");
}

/** A fence longer than any run of backticks inside; a command of several lines stays together. */
function block(title, commands) {
  const text = commands.join("\n");
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `*${title}*\n\n${fence}sh\n${text}\n${fence}`;
}
