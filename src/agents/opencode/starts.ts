import type { Starts } from "../../core/setup.ts";

/**
 * OpenCode's log has a line for each session it creates, with the folder, after it has loaded its plugins, and one
 * for each plugin that failed. ran: 1.18.33, 2026-11-30
 */
export const starts: Starts = {
  place: ({ home, env }) => `${env.XDG_DATA_HOME || `${home}/.local/share`}/opencode/log/opencode.log`,
  times: (log, root) =>
    log.split("\n").flatMap((line) => {
      const [, at = "", quoted, plain] = created.exec(line) ?? [];
      const time = Date.parse(at);
      return (quoted ?? plain) === root && Number.isFinite(time) ? [time] : [];
    }),
  complaint(log, file) {
    const lines = log.split("\n").filter((line) => line.includes(` path=file://${file} error=`));
    const words = lines.at(-1)?.split(" error=")[1]?.trim() ?? "";
    return words === "" ? null : words;
  },
};

const created = /^timestamp=(\S+) .*\bmessage=created id=ses_\S* .*?\bdirectory=(?:"([^"]*)"|(\S+))/;
