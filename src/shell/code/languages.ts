import type { Syntax } from "./lex.ts";
import { familyOf } from "./names.ts";
import { otherLanguage } from "./other-languages.ts";

/** What a function does with its arguments; numbers count them from 0, `self` is what stands before the dot. */
export type Effect =
  | {
      readonly kind: "write" | "delete" | "tree" | "shell" | "eval" | "http" | "sql";
      readonly at: number | "self" | "all";
    }
  | { readonly kind: "open"; readonly at: number | "self"; readonly mode: number }
  | { readonly kind: "chdir" | "edit"; readonly at: number }
  | { readonly kind: "move" | "copy" | "link"; readonly from: number | "self"; readonly to: number | "self" }
  /** It does what a command line of that text does. */
  | { readonly kind: "as"; readonly command: string }
  | { readonly kind: "argv" | "kill" | "mode" };

export interface Language {
  readonly syntax: Syntax;
  /** Options followed by code. */
  readonly code: readonly string[];
  /** Options that take another value. */
  readonly values: string;
  /** The script may come from standard input. */
  readonly stdin: boolean;
  /** `-i` edits the files named after the script. */
  readonly inPlace: boolean;
  /** Function names by effect: `name` alone, `module.name`, or `.name` for a method of anything. */
  readonly calls: Readonly<Record<string, string>>;
  /** Functions may be called without parentheses. */
  readonly bare: boolean;
  /** Arguments stand side by side, without commas. */
  readonly spaced?: boolean;
  /** A path that begins with `~` lies in the home folder. */
  readonly tilde?: boolean;
  /** Ways to write that are read as other ones. */
  readonly rewrites?: readonly (readonly [RegExp, string])[];
}

const c: Syntax = { comments: ["//", "/*"], backtick: "text", regex: true, quoteWords: false, sigils: "" };
const hash: Syntax = { comments: ["#"], backtick: "none", regex: false, quoteWords: false, sigils: "" };

const python: Language = {
  syntax: hash,
  code: ["-c"],
  values: "WXm",
  stdin: true,
  inPlace: false,
  bare: false,
  calls: {
    "open 0 1": "open io.open codecs.open os.open",
    "open self 0": ".open",
    "chdir 0": "os.chdir chdir contextlib.chdir",
    "edit 0": "fileinput.input fileinput.FileInput FileInput",
    "write self": ".write_text .write_bytes .touch .mkdir",
    "link 0 self": ".symlink_to .hardlink_to",
    "link 0 1": "os.link os.symlink",
    kill: "os.kill os.killpg",
    "as redis-cli flushall": ".flushall .flushdb",
    "as aws s3 rb s3://bucket --force": ".delete_bucket",
    "as aws ec2 terminate-instances": ".terminate_instances",
    "as aws dynamodb delete-table": ".delete_table",
    "as aws cloudformation delete-stack": ".delete_stack",
    "as mongosh --eval db.dropDatabase()": ".drop_database",
    mode: "os.chmod os.chown shutil.chown",
    "write 0":
      "os.mkdir os.makedirs os.truncate os.mknod os.mkfifo makedirs dotenv.set_key set_key dotenv.unset_key unset_key .extractall",
    "write 1": "urllib.request.urlretrieve urlretrieve wget.download shutil.unpack_archive .extract",
    "write all": ".to_csv .to_json .savefig .save .dump_to",
    "delete 0": "os.remove os.unlink os.rmdir os.removedirs",
    "tree 0": "shutil.rmtree rmtree send2trash",
    "delete self": ".unlink .rmdir",
    "move 0 1": "os.rename os.renames os.replace shutil.move",
    "move self 0": ".rename",
    "copy 0 1": "shutil.copy shutil.copyfile shutil.copy2 shutil.copytree",
    "shell 0":
      ".system os.system os.popen subprocess.getoutput subprocess.getstatusoutput asyncio.create_subprocess_shell create_subprocess_shell commands.getoutput pexpect.spawn pexpect.run",
    argv: "subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen sh.bash sh.rm sh.git git.push git.reset git.clean git.checkout git.branch git.stash git.rebase git.restore asyncio.create_subprocess_exec os.execvp os.execv os.execl os.execlp os.spawnlp os.spawnvp os.spawnl os.spawnv os.posix_spawn os.posix_spawnp os.execle os.execve pty.spawn",
    "eval 0": "exec eval compile runpy.run_path builtins.exec builtins.eval",
    "http 0": "requests.delete httpx.delete",
    "sql 0": ".execute .executescript .executemany .raw",
  },
};

const javascript: Language = {
  syntax: c,
  code: ["-e", "--eval", "-p", "--print", "-pe", "-ep"],
  values: "rC require import loader experimental-loader env-file",
  stdin: true,
  inPlace: false,
  bare: false,
  calls: {
    "write 0":
      ".writeFileSync .writeFile .appendFileSync .appendFile .createWriteStream .truncateSync .truncate .mkdirSync .mkdir .outputFile .outputFileSync .writeJson .writeJsonSync .outputJson .ensureFile .ensureFileSync .writeTextFile .writeTextFileSync Bun.write Deno.create writeFileSync writeFile appendFileSync appendFile createWriteStream",
    "chdir 0": "process.chdir Deno.chdir",
    "open 0 1": ".openSync openSync fs.open fs.promises.open Deno.open Deno.openSync",
    "link 0 1":
      ".symlinkSync .symlink .linkSync .link symlinkSync symlink linkSync Deno.symlinkSync Deno.symlink",
    "tree all": "shelljs.rm shell.rm",
    kill: "process.kill",
    mode: ".chmodSync .chownSync .chmod .chown",
    "as redis-cli flushall": ".flushall .flushAll .flushdb .flushDb",
    "as mongosh --eval db.dropDatabase()": ".dropDatabase",
    "delete 0": ".unlinkSync .unlink unlinkSync unlink",
    "tree 0":
      ".rmSync .rm .rmdirSync .rmdir .removeSync .emptyDirSync .emptyDir rmSync rmdirSync rimraf rimrafSync rimraf.sync del deleteAsync deleteSync fse.remove fs.remove Deno.remove Deno.removeSync rm",
    "move 0 1": ".renameSync .rename renameSync rename .moveSync .move Deno.rename",
    "copy 0 1": ".copyFileSync .copyFile .cpSync .cp .copySync copyFileSync cpSync Deno.copyFile",
    "shell 0": ".execSync .exec execSync exec execaCommand execaCommandSync shell.exec execa.command $",
    argv: ".spawnSync .spawn .execFileSync .execFile spawnSync spawn execFileSync execFile execa execaSync Bun.spawn Bun.spawnSync Deno.Command Deno.run os.exec",
    "eval 0": "eval Function vm.runInNewContext vm.runInThisContext .runInThisContext .runInNewContext",
    "http 0": "axios.delete got.delete ky.delete superagent.delete",
    "sql 0": ".query .raw .$executeRawUnsafe .$queryRawUnsafe .execute",
  },
  // A module that is a function itself.
  rewrites: [[/\brequire\(\s*(["'])(rimraf|del|execa)\1\s*\)\s*\(/g, "$2("]],
};

const perl: Language = {
  syntax: { comments: ["#"], backtick: "shell", regex: true, quoteWords: true, sigils: "$@%&" },
  tilde: true,
  code: ["-e", "-E"],
  values: "IMm",
  stdin: true,
  inPlace: true,
  bare: true,
  calls: {
    "open 1 1": "open sysopen",
    "delete all": "unlink rmdir",
    "tree 0": "rmtree remove_tree File.Path.rmtree File.Path.remove_tree remove_dir",
    "chdir 0": "chdir",
    "write 0": "mkdir truncate make_path mkpath write_file append_file spurt .spew .append",
    "write self": ".spew .spurt .append .touch .mkpath",
    "delete self": ".remove .unlink",
    "tree self": ".remove_tree .rmtree",
    "link 0 1": "symlink link",
    "move 0 1": "rename move mv File.Copy.move",
    "copy 0 1": "copy cp File.Copy.copy",
    argv: "system exec POSIX.system CORE.system CORE.exec",
    kill: "kill",
    "shell 0": "readpipe",
    "eval 0": "eval",
  },
};

const ruby: Language = {
  syntax: { comments: ["#"], backtick: "shell", regex: true, quoteWords: true, sigils: "$@" },
  code: ["-e"],
  values: "rIE",
  stdin: true,
  inPlace: true,
  bare: true,
  calls: {
    "write 0":
      "File.write IO.write File.truncate Dir.mkdir FileUtils.touch FileUtils.mkdir FileUtils.mkdir_p IO.binwrite File.binwrite touch mkdir_p",
    "chdir 0": "Dir.chdir FileUtils.cd FileUtils.chdir",
    "open 0 1": "File.open File.new IO.open open",
    "write self": ".binwrite .write",
    "link 0 1": "File.symlink File.link FileUtils.ln_s FileUtils.ln FileUtils.ln_sf",
    "delete all":
      "File.delete File.unlink FileUtils.rm FileUtils.rm_f FileUtils.safe_unlink Dir.rmdir Dir.delete Dir.unlink rm_f",
    "tree 0":
      "FileUtils.rm_rf FileUtils.rm_r FileUtils.remove_dir FileUtils.remove_entry FileUtils.rmtree FileUtils.remove_entry_secure rm_rf rm_r",
    "tree self": ".rmtree",
    "delete self": ".unlink",
    "move 0 1": "File.rename FileUtils.mv FileUtils.move",
    "copy 0 1": "FileUtils.cp FileUtils.cp_r FileUtils.copy FileUtils.install IO.copy_stream",
    argv: "system exec spawn Open3.capture2 Open3.capture3 Open3.capture2e Process.spawn IO.popen Kernel.system Kernel.exec Kernel.spawn",
    "shell 0": "PTY.spawn",
    kill: "Process.kill",
    "eval 0": "eval instance_eval class_eval",
    "sql 0": ".execute .exec_query .exec",
  },
};

const php: Language = {
  syntax: { comments: ["#", "//", "/*"], backtick: "shell", regex: false, quoteWords: false, sigils: "$" },
  code: ["-r", "-R", "-B", "-E"],
  values: "dcfFS",
  stdin: true,
  inPlace: false,
  bare: false,
  calls: {
    "chdir 0": "chdir",
    "write 0": "file_put_contents touch mkdir",
    "open 0 1": "fopen",
    "write 1": "move_uploaded_file",
    "link 0 1": "symlink link",
    "delete 0": "unlink rmdir",
    "tree 0": "deleteDirectory deltree",
    "move 0 1": "rename",
    "copy 0 1": "copy",
    "shell 0": "system exec shell_exec passthru popen proc_open",
    argv: "pcntl_exec",
    "eval 0": "eval assert create_function",
    "sql 0": ".query .exec mysqli_query pg_query .statement .unprepared DB.statement DB.unprepared DB.delete",
  },
};

const awk: Language = {
  syntax: { comments: ["#"], backtick: "none", regex: true, quoteWords: false, sigils: "$" },
  code: ["-e", "--source"],
  values: "Fvfl assign field-separator",
  stdin: false,
  inPlace: false,
  bare: false,
  calls: { "shell 0": "system" },
};

const named: Readonly<Record<string, () => Language>> = {
  python: () => python,
  node: () => javascript,
  perl: () => perl,
  ruby: () => ruby,
  php: () => php,
  awk: () => awk,
};

/** The language of an interpreter by its program name; null for other programs. */
export function languageOf(program: string): Language | null {
  const family = familyOf(program);
  return family === null ? null : (named[family]?.() ?? otherLanguage(family));
}
