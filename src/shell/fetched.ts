import { DEEP, SOME, STAR } from "./marks.ts";
import type { Scope, Stream } from "./model.ts";
import { absolute } from "./place.ts";

const fromNetwork: Stream = { text: SOME, from: "network" };

/** Remembers that a file came from the network, for the case that the same command line runs it. */
export function noteFetched({ files, cwd }: Scope, path: string): void {
  files.set(absolute(cwd, path), fromNetwork);
}

/** The same for a folder that an archive or a repository from elsewhere was put into. */
export function noteFetchedFolder({ files, cwd }: Scope, folder: string): void {
  files.set(`${absolute(cwd, folder)}/${DEEP}`, fromNetwork);
}

/** A repository was cloned from elsewhere: only its shell scripts count, since all its other code is run by name. */
export function noteClone({ files, cwd }: Scope, folder: string): void {
  files.set(`${absolute(cwd, folder)}/${STAR}${DEEP}`, fromNetwork);
}

const script = /(?:\.(?:ba|z)?sh|\/(?:install|setup|bootstrap))$/;

/** What a script holds, as far as this command line wrote or fetched it. */
export function scriptText({ files, cwd }: Scope, word: string): Stream | undefined {
  const path = absolute(cwd, word);
  const known = files.get(path);
  if (known !== undefined || files.size === 0) return known;
  for (const [key, text] of files) {
    if (!key.endsWith(DEEP)) continue;
    const cloned = key.endsWith(`${STAR}${DEEP}`);
    if (path.startsWith(key.slice(0, cloned ? -2 : -1)) && (!cloned || script.test(path))) return text;
  }
  return undefined;
}
