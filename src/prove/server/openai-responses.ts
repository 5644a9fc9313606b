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

/** OpenAI Responses with server-sent events. Shape: Codex 0.171.0, 2026-11-30, ran. */
export const openaiResponses: WireFormat = {
  // Models that work in code mode send their tools as an input item and leave `tools` out.
  isMain(request) {
    if (!isResponses(request)) return false;
    return list(request.body.input).map(dict).some(isToolList) || list(request.body.tools).length > 0;
  },

  offered(body) {
    const carried = list(body.input).map(dict).filter(isToolList);
    return toolNames([...list(body.tools), ...carried.flatMap((item) => list(item.tools))]);
  },

  conversation(body) {
    return list(body.input).map(dict).flatMap(toldBy);
  },

  answer(turn, body, ids) {
    return stream(turn, text(body.model) ?? "scripted", ids);
  },

  aside(request, ids) {
    if (isResponses(request)) return stream({ say: sideText }, "scripted", ids);
    return jsonReply(request.path.includes("/models") ? { object: "list", data: [], models: [] } : {});
  },
};

function isResponses(request: ModelRequest): boolean {
  return request.method === "POST" && /\/responses(\?|$)/.test(request.path);
}

function isToolList(item: Dict): boolean {
  return item.type === "additional_tools";
}

function toldBy(item: Dict): Told[] {
  if (item.type === "function_call_output" || item.type === "custom_tool_call_output") {
    return [{ kind: "tool", text: flatten(item.output) }];
  }
  if (item.type !== "message" || item.role === "assistant") return [];
  return [{ kind: "message", text: flatten(item.content) }];
}

function flatten(content: unknown): string {
  if (typeof content === "string") return content;
  return list(content)
    .map((part) => text(dict(part).text) ?? "")
    .join("\n");
}

function stream(turn: Turn, model: string, ids: () => string): ModelReply {
  const item = outputItem(turn, ids);
  const response = { id: `resp_${ids()}`, object: "response", model };
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 20,
  };
  const events: [string, Dict][] = [
    ["response.created", { response: { ...response, status: "in_progress", output: [] } }],
    ["response.output_item.added", { output_index: 0, item }],
    ["response.output_item.done", { output_index: 0, item }],
    ["response.completed", { response: { ...response, status: "completed", output: [item], usage } }],
  ];
  return eventStream(events.map(([type, data], n) => namedEvent(type, { sequence_number: n, ...data })));
}

function outputItem(turn: Turn, ids: () => string): Dict {
  if ("say" in turn) {
    const content = [{ type: "output_text", text: turn.say, annotations: [] }];
    return { type: "message", id: `msg_${ids()}`, status: "completed", role: "assistant", content };
  }
  const { call } = turn;
  const common = { call_id: `call_${ids()}`, name: call.name };
  return call.custom
    ? { type: "custom_tool_call", id: `ctc_${ids()}`, ...common, input: argumentsText(call) }
    : { type: "function_call", id: `fc_${ids()}`, ...common, arguments: argumentsText(call) };
}
