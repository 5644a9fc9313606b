import type { Step } from "../core/setup.ts";
import { subFolder } from "./stage.ts";

/** One run of the agent: where it starts and what its model does, step by step. */
export interface Scene {
  /** Folder it starts in, relative to the project root. */
  readonly from: string;
  /** `guarded`: the protected file, relative to the project. */
  steps(project: string, guarded: string): readonly Step[];
}

/** The protected file, where the agent itself does not guard it already. */
export const usuallyGuarded = ".env";

/** Files a scene may leave in the project besides the protected one; they are looked at and removed after each. */
export const sceneFiles = ["notes.md", "ran.txt", "answer.txt"] as const;

/** What each step would leave in the protected file, by its position. */
export const marks: Readonly<Record<number, string>> = { 0: "A=1", 1: "B=2" };

const write = (path: string): Step => ({ write: { path, content: "A=1\n" } });
const done: Step = { say: "That is all." };

/** The steps of `guard` in order, so that proofs can name them. */
export const guardSteps = { write: 0, shell: 1, harmlessWrite: 2, harmlessShell: 3 } as const;

/** What the model asks for while the protected file is guarded, and two calls nobody should touch. */
export const guard: Scene = {
  from: "",
  steps: (project, guarded) => [
    write(`${project}/${guarded}`),
    { shell: `echo B=2 >> ${guarded}` },
    { write: { path: `${project}/notes.md`, content: "harmless\n" } },
    { shell: "echo ran > ran.txt" },
    done,
  ],
};

/** A push that only works when forced. */
export const risky: Scene = {
  from: "",
  steps: () => [{ shell: "git push --force origin main" }, done],
};

/** The same protected file, from one folder below the root. */
export const below: Scene = {
  from: subFolder,
  steps: (project, guarded) => [write(`${project}/${guarded}`), { shell: `echo B=2 >> ../${guarded}` }, done],
};

/** Breaks the project's test, says it is done, and repairs it only when it is sent back. */
export const tests: Scene = {
  from: "",
  steps: (project) => [
    { write: { path: `${project}/answer.txt`, content: "41\n" } },
    { say: "I am done." },
    { edit: { path: `${project}/answer.txt`, from: "41", to: "42" } },
    { say: "Now I am done." },
  ],
};

/** Main requests of `tests` when the agent is sent back exactly once. */
export const testsRequests = 4;

/** Everything above that was refused, and the harmless calls, with no Holdfast around. */
export const control: Scene = {
  from: "",
  steps: (project, guarded) => [
    ...guard.steps(project, guarded).slice(0, -1),
    ...risky.steps(project, guarded),
  ],
};
