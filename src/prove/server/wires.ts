import type { Wire } from "../../core/setup.ts";
import { anthropicMessages } from "./anthropic-messages.ts";
import { augmentChatStream } from "./augment-chat-stream.ts";
import { geminiGenerateContent } from "./gemini-generate-content.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import type { WireFormat } from "./wire.ts";

/** The wire formats the scripted server speaks; null for one that is named but not spoken yet. */
export const wires: Readonly<Record<Wire, WireFormat | null>> = {
  "anthropic-messages": anthropicMessages,
  "openai-responses": openaiResponses,
  "openai-chat": openaiChat,
  "gemini-generate-content": geminiGenerateContent,
  "augment-chat-stream": augmentChatStream,
};
