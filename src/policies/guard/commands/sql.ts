/**
 * Does SQL text lose data: `DROP`, `TRUNCATE`, a `DELETE` or `UPDATE` without a condition? Words in
 * strings and comments do not count. `EXPLAIN` does nothing unless it also analyses.
 */
export function isLossySql(text: string): boolean {
  if (!trigger.test(text)) return false;
  // What is executed from a string is text inside the text.
  const inner = /\bexecute(?:\s+immediate)?\s*\(?\s*'((?:[^']|'')*)'/i.exec(text)?.[1];
  if (inner !== undefined && isLossySql(inner.replaceAll("''", "'"))) return true;
  if (text.length < longestBuilt && built.test(text)) return true;
  const plain = text
    .replace(clientLine, ";")
    .replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, " ")
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/\s+/g, " ");
  return plain.split(";").some(isLossy);
}

/** Longer texts are dumps; looking for what is built in them would take long. */
const longestBuilt = 10_000;

/** A statement that is put together from strings and then executed: `EXECUTE format('DROP TABLE %I', t)`, `\gexec`. */
const built =
  /\bexecute\b[^;]*?(?:'|\$\w*\$)\s*(?:drop|truncate|delete\s+from)\s[^;]*|'\s*(?:drop|truncate|delete\s+from)\s[^;]*\\gexec\b/i;

/** Lines that a client keeps to itself and that end no statement: `\c app`, `.mode list`, `GO`, `USE app`, `/`. */
const clientLine =
  /^[ \t]*(?:\\[a-z]\w*\b[^\n]*\n|\.[a-z]\w*\b[^\n]*(?:\n|$)|(?:go(?: +\d+)?|use +\S+|\/)[ \t]*\r?(?:\n|$)|set +(?:echo|feedback|heading|verify|define|pagesize|linesize|serveroutput|termout)\b[^\n]*(?:\n|$))/gim;

const trigger = /\b(?:drop|truncate|delete|update|detach|flush|reset|purge|remove)\b/i;
const drops =
  /^(?:drop (?:table|database|schema|owned|role|user|tablespace|keyspace|collection|materialized view|view|type|extension|foreign table|sequence|index|function|warehouse|stage|dataset|catalog|publication|subscription|measurement|series|shard|retention policy)\b|truncate\b|alter table\b.*\bdrop (?:column|partition|if exists|constraint|index|key|primary key|foreign key)\b|alter table\b.*\bdrop (?!default|not null|expression|identity)\w+\s*$|detach\b|remove (?:table|database|namespace)\b|reset (?:master|binary logs|slave all|replica all)\b|purge (?:binary|master) logs\b)/i;

function isLossy(statement: string): boolean {
  let text = statement.trim().replace(/^(?:\\\w+\s+)+/, "");
  if (/^explain\b/i.test(text)) {
    if (!/^explain\s*(?:\([^)]*\banalyze\b(?! *(?:false|off|0))|analyze\b)/i.test(text)) return false;
    text = text.replace(/^explain\s*(?:\([^)]*\)|analyze(?: verbose)?)\s*/i, "");
  }
  text = text.replace(
    /^(?:begin|start transaction|do)\b[\s$\w]*?(?=\b(?:drop|truncate|delete|update|alter)\b)/i,
    "",
  );
  if (drops.test(text)) return true;
  // ClickHouse deletes and updates by altering the table.
  text = text.replace(/^alter table\s+\S+\s+(delete\b|update\b)/i, (_, verb: string) =>
    verb.toLowerCase() === "delete" ? "delete from" : "update t set",
  );
  return changesEvery(text) || nested(text).some(changesEvery);
}

/** A `DELETE` or `UPDATE` without a condition. */
function changesEvery(text: string): boolean {
  const change = /^(?:with\b.*?\)\s*)?(delete\s+(?:(?!from\b)[\w`.*,]+\s+){0,8}from|update)\b(.*)$/i.exec(
    text,
  );
  if (change === null) return false;
  const rest = change[2] ?? "";
  if (change[1]?.toLowerCase() === "update" && !/\bset\b/i.test(rest)) return false;
  return !hasCondition(rest);
}

/** What stands in parentheses and changes data: `WITH gone AS (DELETE FROM a RETURNING *) SELECT …`. */
function nested(text: string): string[] {
  const starts = [...text.matchAll(/\(\s*(?=(?:delete|update)\b)/gi)].slice(0, 16);
  return starts.map(({ index, 0: opening }) => untilClosed(text.slice(index + opening.length)));
}

function untilClosed(text: string): string {
  let depth = 1;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "(") depth++;
    if (text[at] === ")" && --depth === 0) return text.slice(0, at);
  }
  return text;
}

function hasCondition(rest: string): boolean {
  if (/\blimit\s+\d+\s*$/i.test(rest)) return true;
  // The condition of a query inside is not that of the whole.
  if (!/\bwhere\b/i.test(rest.replace(/\([^()]*\)/g, " ").replace(/\([^()]*\)/g, " "))) return false;
  const condition = /\bwhere\b(.*)$/i.exec(rest)?.[1]?.trim();
  if (condition === undefined) return false;
  return !/^\(?\s*(?:(\d+)\s*=\s*\1|true|1|not false|''\s*=\s*'')\s*\)?\s*(?:returning\b.*)?$/i.test(
    condition,
  );
}
