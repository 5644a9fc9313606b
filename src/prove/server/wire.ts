import { type Dict, dict, list, text } from "../../core/read.ts";
import type { ToolCall } from "../../core/setup.ts";

/** What the scripted model answers to one main request. */
export type Turn = { readonly say: string } | { readonly call: ToolCall };

/** A request as it arrived, without its credentials. */
export interface ModelRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON body; an empty object when there was none. */
  readonly body: Dict;
}

export interface ModelReply {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** A piece of text the model reads: a tool's result, or a message of a person, the agent or a hook. */
export interface Told {
  readonly kind: "tool" | "message";
  readonly text: string;
}

/** One model wire format: what is a main request, what it tells the model, and how to answer it. */
export interface WireFormat {
  /**
   * True for a request that moves the conversation on. Titles, token counts and the like are side
   * requests: they get a harmless answer and use up no turn.
   */
  isMain(request: ModelRequest): boolean;
  /** Names of the tools the agent offers the model. */
  offered(body: Dict): string[];
  /** Everything in the conversation that the model did not write itself, in order. */
  conversation(body: Dict): Told[];
  /** Answers a main request. `ids` gives a fresh suffix at every call. */
  answer(turn: Turn, body: Dict, ids: () => string): ModelReply;
  /** Answers a side request. */
  aside(request: ModelRequest, ids: () => string): ModelReply;
}

export const sideText = "ok";

export function jsonReply(value: unknown, status = 200): ModelReply {
  return { status, contentType: "application/json", body: JSON.stringify(value) };
}

export function eventStream(chunks: readonly string[]): ModelReply {
  return { status: 200, contentType: "text/event-stream", body: chunks.join("") };
}

/** One server-sent event whose JSON repeats its name as `type`, the form of Messages and Responses. */
export function namedEvent(type: string, data: Dict): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

/** The names among `tools`, those inside a namespace included. */
export function toolNames(tools: readonly unknown[]): string[] {
  return tools.map(dict).flatMap((tool) => {
    const name = text(tool.name);
    return [...(name === null ? [] : [name]), ...toolNames(list(tool.tools))];
  });
}

/** Arguments of a call as the JSON text models stream. */
export function argumentsText(call: ToolCall): string {
  return typeof call.input === "string" ? call.input : JSON.stringify(call.input);
}
