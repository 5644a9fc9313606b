import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { added, type ScriptedModel, scriptedModel } from "../../src/prove/server/server.ts";
import type { Turn, WireFormat } from "../../src/prove/server/wire.ts";
import { wires } from "../../src/prove/server/wires.ts";

let model: ScriptedModel | null = null;
afterEach(() => model?.close());

const call: Turn = { call: { name: "Write", input: { path: "a", content: "b" } } };
const script = (turns: readonly Turn[]) => (n: number) => turns[n - 1] ?? { say: "end" };

/** One conversation per wire: what is sent first, what comes back to be sent after a call, and where. */
const cases = [
  {
    wire: "anthropic-messages",
    path: "/v1/messages?beta=true",
    first: { tools: [{ name: "Write" }], messages: [{ role: "user", content: "go" }] },
    second: {
      tools: [{ name: "Write" }],
      messages: [
        { role: "user", content: "go" },
        { role: "assistant", content: [{ type: "tool_use", id: "t", name: "Write", input: {} }] },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: "refused" }] },
            { type: "text", text: "a reminder" },
          ],
        },
      ],
    },
    side: [
      ["/v1/messages/count_tokens", { tools: [{ name: "Write" }] }],
      ["/v1/messages", { messages: [{ role: "user", content: "title?" }] }],
    ],
    called: ['"type":"tool_use"', '"partial_json":"{\\"path\\":\\"a\\",\\"content\\":\\"b\\"}"'],
    ended: ['"text":"end"', '"stop_reason":"end_turn"'],
  },
  {
    wire: "openai-responses",
    path: "/v1/responses",
    first: {
      input: [
        { type: "additional_tools", tools: [{ type: "namespace", name: "f", tools: [{ name: "Write" }] }] },
        { type: "message", role: "user", content: [{ type: "input_text", text: "go" }] },
      ],
    },
    second: {
      tools: [{ name: "Write" }],
      input: [
        { type: "message", role: "user", content: [{ type: "input_text", text: "go" }] },
        { type: "function_call", call_id: "t", name: "Write", arguments: "{}" },
        { type: "function_call_output", call_id: "t", output: "refused" },
        { type: "message", role: "developer", content: [{ type: "input_text", text: "a reminder" }] },
      ],
    },
    side: [["/v1/responses", { input: [] }]],
    called: ['"type":"function_call"', '"arguments":"{\\"path\\":\\"a\\",\\"content\\":\\"b\\"}"'],
    ended: ['"text":"end"', "event: response.completed"],
  },
  {
    wire: "openai-chat",
    path: "/v1/chat/completions",
    first: { tools: [{ function: { name: "Write" } }], messages: [{ role: "user", content: "go" }] },
    second: {
      tools: [{ function: { name: "Write" } }],
      messages: [
        { role: "user", content: "go" },
        { role: "assistant", content: "", tool_calls: [] },
        { role: "tool", tool_call_id: "t", content: "refused" },
        { role: "user", content: [{ type: "text", text: "a reminder" }] },
      ],
    },
    side: [["/v1/chat/completions", { messages: [{ role: "user", content: "title?" }] }]],
    called: ['"tool_calls":[', '"arguments":"{\\"path\\":\\"a\\",\\"content\\":\\"b\\"}"'],
    ended: ['"content":"end"', "data: [DONE]"],
  },
  {
    wire: "gemini-generate-content",
    path: "/v1beta/models/m:streamGenerateContent?alt=sse",
    first: {
      tools: [{ functionDeclarations: [{ name: "Write" }] }],
      contents: [{ role: "user", parts: [{ text: "go" }] }],
    },
    second: {
      tools: [{ functionDeclarations: [{ name: "Write" }] }],
      contents: [
        { role: "user", parts: [{ text: "go" }] },
        { role: "model", parts: [{ functionCall: { name: "Write", args: {} } }] },
        {
          role: "user",
          parts: [
            { functionResponse: { name: "Write", response: { error: "refused" } } },
            { text: "a reminder" },
          ],
        },
      ],
    },
    side: [
      [
        "/v1beta/models/m:generateContent",
        { contents: [{ role: "user", parts: [{ text: "which model?" }] }] },
      ],
      ["/v1beta/models/m:countTokens", {}],
    ],
    called: ['"functionCall":{"name":"Write","args":{"path":"a","content":"b"}}'],
    ended: ['"text":"end"', '"finishReason":"STOP"'],
  },
  {
    wire: "augment-chat-stream",
    path: "/chat-stream",
    first: {
      tool_definitions: [{ name: "Write" }],
      chat_history: [],
      nodes: [
        { id: 1, type: 0, text_node: { content: "go" } },
        { id: 2, type: 4, ide_state_node: { workspace_folders: [] } },
      ],
    },
    second: {
      tool_definitions: [{ name: "Write" }],
      chat_history: [
        {
          request_nodes: [{ id: 1, type: 0, text_node: { content: "go" } }],
          response_nodes: [{ id: 1, type: 5, tool_use: { tool_use_id: "t", tool_name: "Write" } }],
        },
      ],
      nodes: [
        { id: 1, type: 1, tool_result_node: { tool_use_id: "t", content: "refused", is_error: true } },
        { id: 2, type: 0, text_node: { content: "a reminder" } },
      ],
    },
    side: [
      ["/get-models", {}],
      ["/agents/list-remote-tools", { tool_id_list: { tool_ids: [1] } }],
      ["/find-missing", { mem_object_names: ["a"] }],
      ["/report-error", {}],
      ["/chat-stream", { message: "title?", nodes: [] }],
    ],
    called: [
      '"tool_name":"Write"',
      '"input_json":"{\\"path\\":\\"a\\",\\"content\\":\\"b\\"}"',
      '"stop_reason":3',
    ],
    ended: ['"text":"end"', '"stop_reason":1'],
  },
] as const;

describe.each(cases)("the scripted model, $wire", ({ wire, path, first, second, side, called, ended }) => {
  it("plays its turns to main requests alone and records what it was told", async () => {
    model = await scriptedModel(format(wire));
    const offered: (readonly string[])[] = [];
    const recording = model.play((n, tools) => {
      offered.push(tools);
      return script([call])(n);
    });
    for (const [sidePath, body] of side) expect((await post(sidePath, body)).status).toBe(200);
    const answer = await (await post(path, first)).text();
    for (const [sidePath, body] of side) await post(sidePath, body);
    const last = await (await post(path, second)).text();

    for (const piece of called) expect(answer).toContain(piece);
    for (const piece of ended) expect(last).toContain(piece);
    expect(offered).toEqual([expect.arrayContaining(["Write"]), ["Write"]]);
    expect(recording.main.map(({ body }) => body)).toEqual([first, second]);
    expect(recording.requests).toHaveLength(2 + 2 * side.length);
    expect([recording.told(1), recording.told(2), recording.told(3)]).toEqual([
      [{ kind: "message", text: "go" }],
      [
        { kind: "tool", text: "refused" },
        { kind: "message", text: "a reminder" },
      ],
      [],
    ]);
  });
});

describe("the scripted model", () => {
  it("streams a free-form call as it is", async () => {
    model = await scriptedModel(format("openai-responses"));
    model.play(script([{ call: { name: "apply_patch", input: "*** Begin Patch", custom: true } }]));
    const answer = await (await post("/v1/responses", { tools: [{ name: "apply_patch" }] })).text();
    expect(answer).toContain('"type":"custom_tool_call"');
    expect(answer).toContain('"input":"*** Begin Patch"');
  });

  it("reads compressed bodies, refuses what is not JSON, and keeps no credentials", async () => {
    model = await scriptedModel(format("openai-chat"));
    const recording = model.play(script([]));
    const body = gzipSync(JSON.stringify({ tools: [{ function: { name: "x" } }] }));
    const headers = { "content-encoding": "gzip", authorization: "Bearer secret", "x-api-key": "secret" };
    const packed = await fetch(`${model.url}/v1/chat/completions`, { method: "POST", headers, body });
    const broken = await fetch(`${model.url}/v1/chat/completions`, { method: "POST", body: "{" });
    expect([packed.status, broken.status]).toEqual([200, 400]);
    expect(recording.main.map(({ body: read }) => read)).toEqual([{ tools: [{ function: { name: "x" } }] }]);
    expect(JSON.stringify(recording.requests)).not.toContain("secret");
  });

  it("starts a new recording with every script", async () => {
    model = await scriptedModel(format("openai-chat"));
    const one = model.play(script([]));
    await post("/v1/chat/completions", { tools: [{ function: { name: "x" } }] });
    const two = model.play(script([]));
    expect([one.main.length, two.main.length]).toEqual([1, 0]);
  });

  it("gives no turn to a request with tools that is about something else", async () => {
    model = await scriptedModel(format("openai-chat"), (body) => body.title === true);
    const recording = model.play(script([call]));
    const tools = [{ function: { name: "x" } }];
    const aside = await (await post("/v1/chat/completions", { tools, title: true })).text();
    const answer = await (await post("/v1/chat/completions", { tools })).text();
    expect([aside.includes('"tool_calls":['), answer.includes('"tool_calls":[')]).toEqual([false, true]);
    expect([recording.requests.length, recording.main.length]).toEqual([2, 1]);
  });

  it("listens on loopback alone", async () => {
    model = await scriptedModel(format("openai-chat"));
    expect(new URL(model.url).hostname).toBe("127.0.0.1");
  });
});

describe("what was added to a conversation", () => {
  it("counts repeats and ignores position", () => {
    const a = { kind: "tool", text: "a" } as const;
    const b = { kind: "message", text: "a" } as const;
    expect(added([a, b], [b, a, a, b, a])).toEqual([a, b, a]);
  });
});

function format(name: keyof typeof wires): WireFormat {
  const found = wires[name];
  if (found === null) throw new Error(`${name} is not spoken`);
  return found;
}

function post(path: string, body: unknown): Promise<Response> {
  return fetch(`${model?.url}${path}`, { method: "POST", body: JSON.stringify(body) });
}
