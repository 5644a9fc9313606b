import { type Dict, dict, list, text } from "../../core/read.ts";
import {
  eventStream,
  jsonReply,
  type ModelReply,
  type ModelRequest,
  type Told,
  type Turn,
  toolNames,
  type WireFormat,
} from "./wire.ts";

/** Gemini's generateContent with server-sent events. Shape: Gemini CLI 0.61.0, 2026-11-30, ran. */
export const geminiGenerateContent: WireFormat = {
  isMain(request) {
    return isStream(request) && declarations(request.body).length > 0;
  },

  offered(body) {
    return toolNames(declarations(body));
  },

  conversation(body) {
    return list(body.contents)
      .map(dict)
      .filter((content) => content.role !== "model")
      .flatMap((content) => list(content.parts).map(dict).map(toldByPart));
  },

  answer(turn, _body, ids) {
    return stream(turn, ids);
  },

  aside(request, ids) {
    if (isStream(request)) return stream({ say: routerText }, ids);
    if (request.path.includes(":countTokens")) return jsonReply({ totalTokens: 10 });
    if (request.path.includes(":generateContent")) return jsonReply(response({ say: routerText }, ids));
    return jsonReply({});
  },
};

/** Side requests ask for JSON: which model to take, who speaks next. */
const routerText = JSON.stringify({
  reasoning: "scripted",
  next_speaker: "user",
  model_choice: "flash",
  complexity_score: 1,
  complexity_reasoning: "scripted",
});

function isStream(request: ModelRequest): boolean {
  return request.method === "POST" && request.path.includes(":streamGenerateContent");
}

function declarations(body: Dict): readonly unknown[] {
  return list(body.tools).flatMap((tool) => list(dict(tool).functionDeclarations));
}

function toldByPart(part: Dict): Told {
  if (part.functionResponse === undefined) return { kind: "message", text: text(part.text) ?? "" };
  const answer = dict(dict(part.functionResponse).response);
  const told = answer.error ?? answer.output ?? answer;
  return { kind: "tool", text: typeof told === "string" ? told : JSON.stringify(told) };
}

function stream(turn: Turn, ids: () => string): ModelReply {
  return eventStream([`data: ${JSON.stringify(response(turn, ids))}\r\n\r\n`]);
}

function response(turn: Turn, ids: () => string): Dict {
  const part =
    "call" in turn ? { functionCall: { name: turn.call.name, args: turn.call.input } } : { text: turn.say };
  return {
    candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
    modelVersion: "scripted",
    responseId: `response-${ids()}`,
  };
}
