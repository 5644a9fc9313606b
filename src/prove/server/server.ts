import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { type Dict, dict } from "../../core/read.ts";
import type { ModelReply, ModelRequest, Told, Turn, WireFormat } from "./wire.ts";

/** The script: what the model does at main request `n`, counted from 1, given the tools it is offered. */
export type Script = (n: number, offered: readonly string[]) => Turn;

/** What was asked of the model while one script was on. */
export interface Recording {
  /** Every request, in order of arrival. */
  readonly requests: readonly ModelRequest[];
  /** The requests that used up a turn. */
  readonly main: readonly ModelRequest[];
  /**
   * What the model was told between main request `n - 1` and main request `n` (both count from 1):
   * tool results, hook feedback, added context. Empty when there was no such request.
   */
  told(n: number): readonly Told[];
}

export interface ScriptedModel {
  /** `http://127.0.0.1:PORT`, without a path. */
  readonly url: string;
  /** Puts a new script on and starts its recording; the one before gets no further entries. */
  play(script: Script): Recording;
  close(): Promise<void>;
}

/**
 * Starts a model that answers by script. Listens on a free port of 127.0.0.1 only. `isAside` tells requests
 * that look like main ones but are not.
 */
export async function scriptedModel(
  wire: WireFormat,
  isAside: (body: Dict) => boolean = () => false,
): Promise<ScriptedModel> {
  const ids = counter();
  let script: Script = () => ({ say: "There is no script." });
  let requests: ModelRequest[] = [];
  let main: ModelRequest[] = [];

  const server = createServer((incoming, outgoing) =>
    respond(incoming, outgoing, (request) => {
      requests.push(request);
      if (!wire.isMain(request) || isAside(request.body)) return wire.aside(request, ids);
      main.push(request);
      return wire.answer(script(main.length, wire.offered(request.body)), request.body, ids);
    }),
  );
  const port = await listen(server);

  return {
    url: `http://127.0.0.1:${port}`,
    play(next) {
      script = next;
      requests = [];
      main = [];
      return recording(wire, requests, main);
    },
    close: () => close(server),
  };
}

function recording(
  wire: WireFormat,
  requests: readonly ModelRequest[],
  main: readonly ModelRequest[],
): Recording {
  const told = (n: number) => {
    const now = main[n - 1];
    if (!now) return [];
    return added(wire.conversation(main[n - 2]?.body ?? {}), wire.conversation(now.body));
  };
  return { requests, main, told };
}

/** The entries of `after` that are not in `before`, counting repeats. Position does not matter. */
export function added(before: readonly Told[], after: readonly Told[]): Told[] {
  const seen = new Map<string, number>();
  for (const { kind, text } of before) seen.set(kind + text, (seen.get(kind + text) ?? 0) + 1);
  return after.filter(({ kind, text }) => {
    const left = seen.get(kind + text) ?? 0;
    if (left > 0) seen.set(kind + text, left - 1);
    return left === 0;
  });
}

function counter(): () => string {
  let n = 0;
  return () => String(++n).padStart(6, "0");
}

function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: (request: ModelRequest) => ModelReply,
): void {
  const chunks: Buffer[] = [];
  incoming.on("error", () => outgoing.destroy());
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
  incoming.on("end", () => {
    const request = readRequest(incoming, Buffer.concat(chunks));
    const reply = request
      ? answer(request)
      : { status: 400, contentType: "application/json", body: '{"error":{"message":"not JSON"}}' };
    outgoing.writeHead(reply.status, { "content-type": reply.contentType });
    outgoing.end(incoming.method === "HEAD" ? undefined : reply.body);
  });
}

function readRequest(incoming: IncomingMessage, raw: Buffer): ModelRequest | null {
  try {
    const body = decoded(raw, incoming.headers["content-encoding"]);
    return {
      method: incoming.method ?? "GET",
      path: incoming.url ?? "/",
      headers: publicHeaders(incoming),
      body: body.length > 0 ? parsed(body) : {},
    };
  } catch {
    return null;
  }
}

function decoded(raw: Buffer, encoding: string | undefined): Buffer {
  if (encoding === "gzip") return gunzipSync(raw);
  if (encoding === "br") return brotliDecompressSync(raw);
  return raw;
}

function parsed(body: Buffer): Dict {
  return dict(JSON.parse(body.toString("utf8")));
}

function publicHeaders(incoming: IncomingMessage): Record<string, string> {
  const headers = Object.entries(incoming.headers).filter(([name]) => !/auth|api-key|cookie/.test(name));
  return Object.fromEntries(headers.map(([name, value]) => [name, String(value)]));
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
