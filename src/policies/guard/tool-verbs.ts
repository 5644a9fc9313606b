const changing =
  /^(write|overwrite|edit|create|make|mkdir|touch|delete|erase|trash|wipe|unlink|rm|move|mv|rename|copy|cp|append|prepend|patch|put|save|store|restore|set|push|remove|replace|insert|update|modify|truncate|apply|download|extract|unzip)(?:s|files?|texts?|contents?|dir|directory|folders?|documents?|notes?|blocks?|lines?|range)?$/;

/** The verbs for changes among the words of a tool's name, without the name of its MCP server. */
export function changingVerbs(name: string): string[] {
  const own = name.slice(name.lastIndexOf("__") + 1);
  const words = own
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);
  return words.flatMap((word) => changing.exec(word)?.[1] ?? []);
}

/** Does the verb take what is below a folder along? */
export function takesTrees(verb: string): boolean {
  return /^(?:delete|erase|trash|wipe|unlink|rm|move|mv|rename|remove|extract|unzip)$/.test(verb);
}
