import { type Dict, dict, list, text } from "../../core/read.ts";
import {
  argumentsText,
  eventStream,
  jsonReply,
  type ModelReply,
  type ModelRequest,
  sideText,
  type Told,
  type Turn,
  toolNames,
  type WireFormat,
} from "./wire.ts";

/** OpenAI Chat Completions with server-sent events. Shape: OpenCode 1.18.33, 2026-11-30, ran. */
export const openaiChat: WireFormat = {
  isMain(request) {
    return isChat(request) && list(request.body.tools).length > 0;
  },

  offered(body) {
    return toolNames(list(body.tools).map((tool) => dict(tool).function ?? dict(tool).custom));
  },

  conversation(body) {
    return list(body.messages).map(dict).flatMap(toldBy);
  },

  answer(turn, body, ids) {
    return stream(turn, text(body.model) ?? "scripted", ids);
  },

  aside(request, ids) {
    if (isChat(request)) return stream({ say: sideText }, "scripted", ids);
    return jsonReply(request.path.includes("/models") ? { object: "list", data: [] } : {});
  },
};

function isChat(request: ModelRequest): boolean {
  return request.method === "POST" && /\/chat\/completions(\?|$)/.test(request.path);
}

function toldBy(message: Dict): Told[] {
  if (message.role === "assistant") return [];
  const kind = message.role === "tool" ? "tool" : "message";
  if (typeof message.content === "string") return [{ kind, text: message.content }];
  return list(message.content).map((part) => ({ kind, text: text(dict(part).text) ?? "" }));
}

function stream(turn: Turn, model: string, ids: () => string): ModelReply {
  const base = { id: `chatcmpl-${ids()}`, object: "chat.completion.chunk", created: 0, model };
  const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
  const chunk = (delta: Dict, finish: string | null, more: Dict = {}) =>
    `data: ${JSON.stringify({ ...base, choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`;
  const opening = { role: "assistant", content: "say" in turn ? turn.say : "" };
  const calls = "call" in turn ? [chunk({ tool_calls: [toolCall(turn, ids)] }, null)] : [];
  const finish = "call" in turn ? "tool_calls" : "stop";
  return eventStream([chunk(opening, null), ...calls, chunk({}, finish, { usage }), "data: [DONE]\n\n"]);
}

function toolCall(turn: Extract<Turn, { call: unknown }>, ids: () => string): Dict {
  const called = { name: turn.call.name, arguments: argumentsText(turn.call) };
  return { index: 0, id: `call_${ids()}`, type: "function", function: called };
}
