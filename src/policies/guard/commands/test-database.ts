import type { Step } from "../../../shell/model.ts";

/**
 * Does a command name the test environment as the one whose database it works on? Only for frameworks that choose the
 * database by it, and not where the command says another database besides.
 */
export function isTestDatabase({ name, args, env, place }: Step): boolean {
  if (place !== "host" || args.includes("db:environment:set")) return false;
  if (name === "wrangler") return args.includes("--local") && !args.includes("--remote");
  const variables = chosenBy[name];
  if (variables === undefined || [...env.keys()].some((key) => /^DATABASE_URL|_DATABASE_URL$/.test(key)))
    return false;
  const given = args.flatMap((word, at) =>
    /^(?:--env|--environment|-e)$/.test(word)
      ? [args[at + 1] ?? ""]
      : (/^(?:--env|--environment|[A-Z]+_ENV)=(.*)$/.exec(word)?.[1] ?? []),
  );
  const named = given.length > 0 ? given : variables.flatMap((key) => env.get(key) ?? []);
  return named.length > 0 && named.every((value) => /^test(?:ing)?$/.test(value));
}

const rails = ["RAILS_ENV", "RACK_ENV"];
const node = ["NODE_ENV"];
const symfony = ["APP_ENV"];

/** The variables by which programs choose their database. */
const chosenBy: Readonly<Record<string, readonly string[]>> = {
  rails,
  rake: rails,
  mix: ["MIX_ENV"],
  hanami: ["HANAMI_ENV"],
  sequelize: node,
  "sequelize-cli": node,
  knex: node,
  php: symfony,
  artisan: symfony,
  console: symfony,
};
