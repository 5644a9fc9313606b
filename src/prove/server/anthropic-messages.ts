import { type Dict, dict, list, text } from "../../core/read.ts";
import {
  argumentsText,
  eventStream,
  jsonReply,
  type ModelReply,
  type ModelRequest,
  namedEvent,
  sideText,
  type Told,
  type Turn,
  toolNames,
  type WireFormat,
} from "./wire.ts";

/** Anthropic Messages with server-sent events. Shape: Claude Code 2.1.332, 2026-11-30, ran. */
export const anthropicMessages: WireFormat = {
  isMain(request) {
    return isMessages(request) && list(request.body.tools).length > 0;
  },

  offered(body) {
    return toolNames(list(body.tools));
  },

  conversation(body) {
    return list(body.messages).map(dict).filter(isNotTheModel).flatMap(toldBy);
  },

  answer(turn, body, ids) {
    return stream(turn, text(body.model) ?? "scripted", ids);
  },

  aside(request, ids) {
    if (request.path.includes("/count_tokens")) return jsonReply({ input_tokens: 10 });
    if (isMessages(request)) return stream({ say: sideText }, "scripted", ids);
    return jsonReply(request.path.includes("/models") ? { data: [] } : {});
  },
};

function isMessages(request: ModelRequest): boolean {
  return request.method === "POST" && /\/v1\/messages(\?|$)/.test(request.path);
}

function isNotTheModel(message: Dict): boolean {
  return message.role !== "assistant";
}

function toldBy(message: Dict): Told[] {
  if (typeof message.content === "string") return [{ kind: "message", text: message.content }];
  return list(message.content).map(dict).map(toldByBlock);
}

function toldByBlock(block: Dict): Told {
  if (block.type !== "tool_result") return { kind: "message", text: text(block.text) ?? "" };
  if (typeof block.content === "string") return { kind: "tool", text: block.content };
  const parts = list(block.content).map((part) => text(dict(part).text) ?? "");
  return { kind: "tool", text: parts.join("\n") };
}

function stream(turn: Turn, model: string, ids: () => string): ModelReply {
  const usage = { input_tokens: 10, output_tokens: 1 };
  const cache = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const isCall = "call" in turn;
  const block = isCall
    ? { type: "tool_use", id: `toolu_${ids()}`, name: turn.call.name, input: {} }
    : { type: "text", text: "" };
  const delta = isCall
    ? { type: "input_json_delta", partial_json: argumentsText(turn.call) }
    : { type: "text_delta", text: turn.say };
  const message = {
    id: `msg_${ids()}`,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, ...cache },
  };
  return eventStream([
    namedEvent("message_start", { message }),
    namedEvent("content_block_start", { index: 0, content_block: block }),
    namedEvent("content_block_delta", { index: 0, delta }),
    namedEvent("content_block_stop", { index: 0 }),
    namedEvent("message_delta", {
      delta: { stop_reason: isCall ? "tool_use" : "end_turn", stop_sequence: null },
      usage: { output_tokens: 10 },
    }),
    namedEvent("message_stop", {}),
  ]);
}
