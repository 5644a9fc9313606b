import { join } from "node:path";
import { type Problem, problem } from "../../core/problem.ts";
import { isRealDir } from "../../runtime/files.ts";
import type { Check, Exam } from "../check.ts";
import { protectedPath, samplePaths, worldOf } from "../sample.ts";

/** The settings protect something: a list may be empty, or be taken back by its own exceptions. */
export const check: Check = {
  id: "protects",
  words: "there are files that are protected",
  find(exam) {
    const { settings, file } = exam.manifest;
    const { paths } = settings.protect;
    const where = file === null ? {} : { file };
    const folders = [...paths, ...settings.protect.except].filter((pattern) => isFolder(pattern, exam));
    const bare = folders.map((pattern) => {
      const message = `"${pattern}" names the folder alone: the files in it are not meant`;
      return problem("HF319", message, { severity: "warning", hint: `Write "${pattern}/**".`, where });
    });
    return [...bare, ...nothingProtected(exam, where)];
  },
};

/** A pattern means the file or folder of that very name; what is below has to be said. */
function isFolder(pattern: string, { machine }: Exam): boolean {
  if (machine.root === null || !/^[\w./-]*\w$/.test(pattern)) return false;
  return isRealDir(join(machine.root, pattern));
}

function nothingProtected(exam: Exam, where: Problem["where"]): Problem[] {
  const { settings } = exam.manifest;
  const { paths } = settings.protect;
  if (paths.length === 0) {
    const hint = "If that is not meant, leave `paths` out: then the built-in list holds.";
    return [
      problem("HF320", "no file is protected: protect.paths is empty", { severity: "info", hint, where }),
    ];
  }
  const isKnown = samplePaths(paths).length === paths.length;
  if (!isKnown || protectedPath(settings, worldOf(exam)) !== null) return [];
  const message = "no file is protected: protect.except takes back all that protect.paths names";
  const hint = "Name in protect.except only the files that may be written, for example .env.example.";
  return [problem("HF320", message, { severity: "warning", hint, where })];
}
