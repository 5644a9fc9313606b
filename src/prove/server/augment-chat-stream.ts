import { type Dict, dict, list, text } from "../../core/read.ts";
import {
  argumentsText,
  jsonReply,
  type ModelReply,
  type Told,
  type Turn,
  toolNames,
  type WireFormat,
} from "./wire.ts";

/**
 * Augment's own service: one JSON object a line, and beside it the account's settings, of which hooks are one.
 * Shape: Auggie 0.36.0, 2026-11-30, ran.
 */
export const augmentChatStream: WireFormat = {
  isMain({ method, path, body }) {
    return method === "POST" && path.endsWith("/chat-stream") && list(body.tool_definitions).length > 0;
  },

  offered(body) {
    return toolNames(list(body.tool_definitions));
  },

  conversation(body) {
    const history = list(body.chat_history).map(dict);
    const nodes = [...history.flatMap((exchange) => list(exchange.request_nodes)), ...list(body.nodes)];
    return nodes.map(dict).flatMap(toldByNode);
  },

  answer(turn, _body, ids) {
    return line(turn, ids);
  },

  aside({ path }, ids) {
    if (path.endsWith("/chat-stream")) return line({ say: "ok" }, ids);
    if (path.endsWith("/get-models")) return jsonReply(account);
    if (path.endsWith("/find-missing"))
      return jsonReply({ unknown_memory_names: [], nonindexed_blob_names: [] });
    if (path.endsWith("/list-remote-tools")) return jsonReply({ tools: [] });
    return jsonReply({});
  },
};

const model = {
  name: "scripted-model",
  suggested_prefix_char_count: 1000,
  suggested_suffix_char_count: 1000,
  completion_timeout_ms: 1000,
};

const account = {
  default_model: model.name,
  models: [model],
  languages: [],
  feature_flags: { enable_hooks: true },
};

/** Node types: 0 a text, 1 a tool's result; 4 describes the surroundings. */
function toldByNode(node: Dict): Told[] {
  if (node.type === 1) return [{ kind: "tool", text: text(dict(node.tool_result_node).content) ?? "" }];
  if (node.type === 0) return [{ kind: "message", text: text(dict(node.text_node).content) ?? "" }];
  return [];
}

/** Node types: 0 a text, 5 a tool call. Reasons to stop: 1 the end of the turn, 3 a tool. */
function line(turn: Turn, ids: () => string): ModelReply {
  const value = "call" in turn ? { text: "", nodes: [callNode(turn, ids)], stop_reason: 3 } : said(turn.say);
  return { status: 200, contentType: "application/json", body: `${JSON.stringify(value)}\n` };
}

function said(words: string): Dict {
  return { text: words, nodes: [{ id: 0, type: 0, content: words }], stop_reason: 1 };
}

function callNode({ call }: Extract<Turn, { call: unknown }>, ids: () => string): Dict {
  const tool = { tool_use_id: `call-${ids()}`, tool_name: call.name, input_json: argumentsText(call) };
  return { id: 1, type: 5, content: "", tool_use: tool };
}
