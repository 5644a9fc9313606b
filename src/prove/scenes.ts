import type { Step } from "../core/setup.ts";
import { subFolder } from "./stage.ts";

/** One run of the agent: where it starts and what its model does, step by step. */
export interface Scene {
  /** Folder it starts in, relative to the project root. */
  readonly from: string;
  /** `secret` is the name of a protected file in the project's root. */
  steps(project: string, secret: string): readonly Step[];
}

/** The protected file, unless the agent at hand needs another. */
export const usualSecret = ".env";

/** Other files a scene may leave in the project; all are looked at and removed after each. */
export const sceneFiles = ["notes.md", "ran.txt", "answer.txt"] as const;

/** What each step would leave in the protected file, by its position. */
export const marks: Readonly<Record<number, string>> = { 0: "A=1", 1: "B=2" };

const writeSecret = (project: string, secret: string): Step => ({
  write: { path: `${project}/${secret}`, content: "A=1\n" },
});
const done: Step = { say: "That is all." };

/** The steps of `guard` in order, so that proofs can name them. */
export const guardSteps = { write: 0, shell: 1, harmlessWrite: 2, harmlessShell: 3, push: 4 } as const;

/**
 * Two ways to write the protected file, two calls nobody should touch, and a push that only works when
 * forced. The push comes last: some agents end their run at a question.
 */
export const guard: Scene = {
  from: "",
  steps: (project, secret) => [
    writeSecret(project, secret),
    { shell: `echo B=2 >> ${secret}` },
    { write: { path: `${project}/notes.md`, content: "harmless\n" } },
    { shell: "echo ran > ran.txt" },
    { shell: "git push --force origin main" },
    done,
  ],
};

/** The protected file alone. */
export const glance: Scene = {
  from: "",
  steps: (project, secret) => [writeSecret(project, secret), { shell: `echo B=2 >> ${secret}` }, done],
};

/** The same from one folder below the root. */
export const below: Scene = {
  from: subFolder,
  steps: (project, secret) => [writeSecret(project, secret), { shell: `echo B=2 >> ../${secret}` }, done],
};

/**
 * Breaks the project's test, says it is done, and repairs it only when it is sent back. By the shell, as not
 * every agent's write tool writes over a file.
 */
export const tests: Scene = {
  from: "",
  steps: (project) => [
    { write: { path: `${project}/answer.txt`, content: "41\n" } },
    { say: "I am done." },
    { shell: "echo 42 > answer.txt" },
    { say: "Now I am done." },
  ],
};

/** Main requests of `tests` when the agent is sent back exactly once. */
export const testsRequests = 4;

/** What `harmless` leaves in the project. */
export const harmlessFiles: Readonly<Record<string, string>> = {
  "notes.md": "harmless\n",
  "ran.txt": "ran\n",
  "answer.txt": "42\n",
};

/** Calls nobody should touch, and the end of the turn. */
export const harmless: Scene = {
  from: "",
  steps: (project) => [
    { write: { path: `${project}/notes.md`, content: "harmless\n" } },
    { shell: "echo ran > ran.txt" },
    { shell: "echo 42 > answer.txt" },
    done,
  ],
};

/** Main requests of `harmless` when nothing comes in between. */
export const harmlessRequests = 4;
