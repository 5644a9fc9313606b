import type { Step } from "../../../../shell/model.ts";
import type { Pack } from "../rule.ts";

/** Code that arrives from somewhere nobody looked. */
export const network: Pack = {
  name: "network",
  title: "Code from the network",
  rules: [
    {
      id: "network/pipe-to-shell",
      words: "runs code straight from the network",
      loss: "Control over what runs: the other side can send anything.",
      safer: "Save it and read it: `curl -fsSL https://example.com/install.sh -o install.sh`.",
      facts: ["runs-network-code"],
      match: ["mshta|rundll32 http*|javascript*|vbscript*", "msiexec ** http*"],
      programs: ["regsvr32"],
      step: (step) => step.name === "regsvr32" && step.args.some((word) => /^\/i:https?:/i.test(word)),
    },
    {
      id: "network/decoded-code",
      words: "runs code that was encoded so that nobody can read it",
      loss: "Control over what runs.",
      safer: "Decode it to look at it: `base64 -d payload.txt`.",
      facts: ["runs-decoded-code"],
    },
    {
      id: "network/remote-shell",
      words: "connects a shell to the network",
      loss: "The machine: whoever is at the other end can do what you can.",
      safer: "Test a port with `nc -z localhost 5432`.",
      facts: ["network-shell"],
      programs: ["nc", "ncat", "netcat", "socat", "telnet", "openssl"],
      step: (step) => servesShell(step),
    },
  ],
};

function servesShell(step: Step): boolean {
  if (step.name === "socat") return step.args.some((word) => /^(?:exec|system):/i.test(word));
  if (step.name === "telnet" || step.name === "openssl") return false;
  return (
    step.args.some((word) => /^-[a-zA-Z]*[ec]$|^--(?:exec|sh-exec|lua-exec)/.test(word)) &&
    step.args.length > 1 &&
    !step.args.includes("-z")
  );
}
