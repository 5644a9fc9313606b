import { jsonSchema } from "../../manifest/schema.ts";
import { type Args, done, type Outcome, type Spec } from "../command.ts";

export const spec: Spec = {
  usage: "schema",
  options: {},
  positionals: 0,
  examples: ["holdfast schema > holdfast.schema.json"],
};

/** Prints the JSON Schema of the manifest. */
export async function run({ screen }: Args): Promise<Outcome> {
  const schema = jsonSchema();
  screen.print(JSON.stringify(schema, null, 2));
  return done(schema);
}
