import type { Starts } from "../../core/setup.ts";

/**
 * pi keeps one file per session, named after the time it was started, in a folder per project. Elsewhere when
 * `PI_CODING_AGENT_SESSION_DIR` says so. ran: 1.6.0, 2026-11-30; how the folder is spelled: source
 */
export const starts: Starts = {
  place({ home, root, env }) {
    if (root === null || env.PI_CODING_AGENT_SESSION_DIR) return null;
    const folder = `--${root.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-")}--`;
    return `${env.PI_CODING_AGENT_DIR || `${home}/.pi/agent`}/sessions/${folder}`;
  },
  times: (names) =>
    names.split("\n").flatMap((name) => {
      const [, day, hour, minute, second] = stamped.exec(name) ?? [];
      return day === undefined ? [] : [Date.parse(`${day}T${hour}:${minute}:${second}Z`)];
    }),
  complaint: () => null,
};

const stamped = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-\d{3}Z_.*\.jsonl$/;
