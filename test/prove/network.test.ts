import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { loopbackOnly } from "../../src/prove/network.ts";
import { run } from "../../src/prove/process.ts";

const options = {
  cwd: tmpdir(),
  env: { PATH: process.env.PATH ?? "", HOME: tmpdir() },
  timeoutMs: 20_000,
};

/** Prints the names of the network interfaces that have an address, and whether loopback can be reached. */
const look = `
  const { createServer, connect } = require("node:net");
  const names = Object.keys(require("node:os").networkInterfaces());
  const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1", () => {
    connect(server.address().port, "127.0.0.1", () => {
      console.log(names.join(" "), "reached");
      process.exit(0);
    });
  });`;

describe("a network of its own", () => {
  const prefix = loopbackOnly(process.platform, options);

  it("holds loopback and nothing else, where it can be had", async ({ skip }) => {
    const words = await prefix;
    if (words === null) skip("no unshare, or no rights to use it, on this machine");
    const ran = await run([...(words ?? []), process.execPath, "-e", look], options);
    expect([ran.stdout, ran.exitCode]).toEqual(["lo reached\n", 0]);
  });

  it("is not to be had outside Linux, or without the programs it takes", async () => {
    expect(await loopbackOnly("darwin", options)).toBe(null);
    expect(await loopbackOnly("linux", { ...options, env: { PATH: "/nowhere" } })).toBe(null);
  });
});
