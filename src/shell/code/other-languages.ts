import type { Language } from "./languages.ts";
import type { Syntax } from "./lex.ts";

const slashes: Syntax = {
  comments: ["//", "/*"],
  backtick: "none",
  regex: false,
  quoteWords: false,
  sigils: "",
};
const hash: Syntax = { ...slashes, comments: ["#"] };
const dashes: Syntax = { ...slashes, comments: ["--"] };
const lisp: Syntax = { ...slashes, comments: [";"], lisp: true, doubleOnly: true };

const jvm: Readonly<Record<string, string>> = {
  "shell self": ".execute .lazyLines",
  argv: ".exec ProcessBuilder Process .command",
  "tree self": ".deleteDir .deleteRecursively",
  "delete self": ".delete",
  "delete 0": "Files.delete Files.deleteIfExists",
  "write self":
    ".write .append .setText .writeText .writeBytes .appendText .createNewFile .mkdirs .printWriter",
  "write 0":
    "FileWriter PrintWriter FileOutputStream Files.write Files.writeString Files.createFile Files.newBufferedWriter",
  "move 0 1": "Files.move",
  "copy 0 1": "Files.copy",
  "eval 0": "evaluate",
};

type Parts = Partial<Language> & Pick<Language, "syntax" | "code" | "calls">;

const languages: Readonly<Record<string, Parts>> = {
  lua: {
    syntax: dashes,
    code: ["-e"],
    bare: true,
    rewrites: [[/\[\[([^\]"]{0,500})\]\]/g, '"$1"']],
    calls: {
      "open 0 1": "io.open",
      "delete 0": "os.remove",
      "tree 0": "lfs.rmdir",
      "move 0 1": "os.rename",
      "shell 0": "os.execute io.popen",
      "eval 0": "load loadstring dofile",
    },
  },
  r: {
    syntax: hash,
    code: ["-e"],
    tilde: true,
    rewrites: [[/\bcat\(((?:[^()]|\([^()]{0,200}\)){0,200}),\s*file\s*=\s*/g, "writeLines(0, "]],
    calls: {
      "tree 0": "unlink file.remove dir_delete file_delete fs.dir_delete",
      "write 0": "file.create dir.create sink",
      "write 1": "writeLines write.csv write.table saveRDS download.file write",
      "move 0 1": "file.rename",
      "copy 0 1": "file.copy",
      "shell 0": "system shell",
      argv: "system2",
      "eval 0": "eval source",
    },
  },
  julia: {
    syntax: { ...hash, backtick: "shell" },
    code: ["-e", "-E", "--eval"],
    calls: {
      "tree 0": "rm",
      "open 0 1": "open",
      "write 0": "write touch mkdir mkpath",
      "move 0 1": "mv",
      "copy 0 1": "cp",
      argv: "run",
      "eval 0": "include eval",
    },
  },
  elixir: {
    syntax: hash,
    code: ["-e", "--eval"],
    rewrites: [[/~[cCsS](?=["'])/g, ""]],
    calls: {
      "tree 0": "File.rm_rf File.rm_rf!",
      "delete 0": "File.rm File.rm! File.rmdir",
      "write 0": "File.write File.write! File.touch File.mkdir_p",
      "move 0 1": "File.rename File.rename!",
      "copy 0 1": "File.cp File.cp! File.cp_r",
      argv: "System.cmd",
      "shell 0": "System.shell os.cmd",
      "eval 0": "Code.eval_string Code.eval_file",
    },
  },
  groovy: {
    syntax: slashes,
    code: ["-e"],
    calls: jvm,
    rewrites: [
      [/\.(?:text|bytes)\s*=(?!=)/g, ".setText("],
      [/\)\s*<<\s*/g, ").append("],
    ],
  },
  scala: { syntax: slashes, code: ["-e"], calls: jvm, rewrites: [[/\.\s*!!?(?!=)/g, ".execute()"]] },
  java: { syntax: slashes, code: ["-e"], calls: jvm },
  swift: {
    syntax: slashes,
    code: ["-e"],
    calls: {
      "tree 0": ".removeItem .trashItem",
      "write 0": ".createFile .write .createDirectory",
      "move 0 1": ".moveItem",
      "copy 0 1": ".copyItem",
      "shell 0": "system popen shell",
    },
  },
  haskell: {
    syntax: { ...dashes, doubleOnly: true },
    code: ["-e"],
    bare: true,
    spaced: true,
    calls: {
      "shell 0": "system callCommand readCreateProcess shell .system .callCommand",
      argv: "callProcess readProcess rawSystem proc .callProcess .readProcess",
      "tree 0": "removeDirectoryRecursive removePathForcibly .removeDirectoryRecursive .removePathForcibly",
      "delete 0": "removeFile removeDirectory .removeFile",
      "write 0": "writeFile appendFile .writeFile",
    },
  },
  ocaml: {
    syntax: { ...slashes, comments: [], doubleOnly: true },
    code: ["-e"],
    bare: true,
    spaced: true,
    calls: {
      "shell 0": ".command .system .open_process_in",
      "delete 0": ".remove .unlink .rmdir",
      "write 0": "open_out open_out_gen .open_out",
    },
  },
  nim: {
    syntax: hash,
    code: ["--eval", "-e"],
    bare: true,
    calls: {
      "shell 0": "exec execCmd execCmdEx execShellCmd execProcess staticExec gorge gorgeEx",
      "tree 0": "removeDir rmDir",
      "delete 0": "removeFile rmFile",
      "write 0": "writeFile",
      "move 0 1": "moveFile mvFile",
    },
  },
  erlang: {
    syntax: { ...slashes, comments: [] },
    code: ["-eval"],
    calls: {
      "shell 0": "cmd",
      "tree 0": "del_dir_r",
      "delete 0": "delete del_dir",
      "write 0": "write_file",
    },
  },
  octave: {
    syntax: hash,
    code: ["--eval", "-batch", "-r", "-e"],
    bare: true,
    calls: {
      "shell 0": "system shell_cmd unix dos popen",
      "tree 0": "rmdir",
      "delete 0": "unlink delete",
      "open 0 1": "fopen",
    },
  },
  csharp: {
    syntax: slashes,
    code: ["-e", "eval"],
    calls: {
      "shell all": "Process.Start",
      "tree 0": "Directory.Delete",
      "delete 0": "File.Delete",
      "write 0": "File.WriteAllText File.AppendAllText File.Create",
      "move 0 1": "File.Move Directory.Move",
      "copy 0 1": "File.Copy",
    },
  },
  rust: {
    syntax: slashes,
    code: ["-e"],
    calls: {
      "tree 0": "fs.remove_dir_all",
      "delete 0": "fs.remove_file fs.remove_dir",
      "write 0": "fs.write File.create",
    },
  },
  raku: {
    syntax: { ...hash, quoteWords: true, sigils: "$@%&" },
    code: ["-e"],
    bare: true,
    calls: {
      "shell 0": "shell",
      argv: "run",
      "delete all": "unlink rmdir",
      "write 0": "spurt",
      "write self": ".spurt",
    },
  },
  lisp: {
    syntax: lisp,
    code: ["-c", "-e", "-ex", "-x", "--eval", "-eval"],
    bare: true,
    spaced: true,
    calls: {
      "shell 0":
        "system shell-command shell-command-to-string async-shell-command .system .shell-command .execute",
      argv: "sh shell process run-program system* .sh .shell .process .run-program call-process start-process",
      "move 0 1": "rename-file",
      "copy 0 1": "copy-file",
      "tree 0":
        "delete-directory delete-tree delete-directory-tree delete-directory.files .delete-tree .delete-directory-tree",
      "delete 0": "delete-file .delete-file",
      "write 0": "spit open-output-file call-with-output-file with-output-to-file",
    },
  },
};

/** A language by its family; null when there is none of that name. */
export function otherLanguage(family: string): Language | null {
  const known = made.get(family);
  const parts = Object.hasOwn(languages, family) ? languages[family] : undefined;
  if (known !== undefined || parts === undefined) return known ?? null;
  const language = { values: "-", stdin: true, inPlace: false, bare: false, ...parts };
  made.set(family, language);
  return language;
}

const made = new Map<string, Language>();
