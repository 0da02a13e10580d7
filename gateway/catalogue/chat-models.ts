/** What the gateway promises about a chat model (specification, "Chat model catalogue"). */
export interface ChatModel {
  readonly id: string;
  /** Context window in tokens; the catalogue's K is read as 1000 (B-16). */
  readonly contextTokens: number;
  readonly tools: boolean;
  readonly vision: boolean;
  /** Takes video, audio and PDF through image blocks (B-27). */
  readonly media: boolean;
  readonly cache: boolean;
  readonly stream: boolean;
  /** Takes `response_format` of type `json_schema` (B-21). */
  readonly jsonSchema: boolean;
}

const K = 1000;
const BASE = { tools: true, stream: true, vision: false, media: false, cache: false, jsonSchema: false };

/** The chat models this gateway can serve today, by id. The order is the one of the catalogue. */
export const CHAT_MODELS: ReadonlyMap<string, ChatModel> = new Map(
  [
    { ...BASE, id: 'alpha-5-2', contextTokens: 400 * K, vision: true, jsonSchema: true },
    { ...BASE, id: 'alpha-5-pro', contextTokens: 400 * K, vision: true, jsonSchema: true },
    { ...BASE, id: 'alpha-5-codex', contextTokens: 400 * K, jsonSchema: true },
    { ...BASE, id: 'alpha-codex', contextTokens: 128 * K },
    { ...BASE, id: 'delta-3', contextTokens: 256 * K },
  ].map((model) => [model.id, model]),
);
