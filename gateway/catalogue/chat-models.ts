/** What a chat model can do beyond plain text: the catalogue's words, and two that the readings add. */
export const allCapabilities = ['tools', 'vision', 'media', 'cache', 'json_schema', 'stream'] as const;
export type Capability = (typeof allCapabilities)[number];

/** What the gateway promises about a chat model (specification, "Chat model catalogue"). */
export interface ChatModel {
  readonly id: string;
  /** Context window in tokens; the catalogue's K is read as 1000 (B-16). */
  readonly contextTokens: number;
  /** Most tokens of one answer: what the configuration states, or else the whole window (B-15). */
  readonly outputTokens: number;
  readonly tools: boolean;
  /** Accepts images. */
  readonly vision: boolean;
  /** Accepts video, audio and PDF through image blocks (B-27). */
  readonly media: boolean;
  /** Honours `cache_control` (B-29). */
  readonly cache: boolean;
  readonly stream: boolean;
  /** Accepts `response_format` of type `json_schema` (B-21). */
  readonly jsonSchema: boolean;
  /** The native protocol that serves the model in addition to the core path (specification, "Endpoints"); null for none. */
  readonly compat: 'messages' | 'generate-content' | null;
}

/** A model as the configuration states it. */
export interface ConfiguredModel {
  readonly id: string;
  readonly context_tokens: number;
  readonly output_tokens?: number | undefined;
  readonly capabilities: readonly Capability[];
}

const thousand = 1000;

type Row = readonly [id: string, contextTokens: number, capabilities: readonly Capability[]];

/** The catalogue, in its order. */
const rows: readonly Row[] = [
  ['alpha-5-2', 400 * thousand, ['tools', 'vision', 'stream', 'json_schema']],
  ['alpha-5-pro', 400 * thousand, ['tools', 'vision', 'stream', 'json_schema']],
  ['alpha-5-codex', 400 * thousand, ['tools', 'stream', 'json_schema']],
  ['alpha-codex', 128 * thousand, ['tools', 'stream']],
  ['beta-large-4-5', 200 * thousand, ['tools', 'vision', 'media', 'cache', 'stream']],
  ['beta-mid-4-5', 200 * thousand, ['tools', 'vision', 'media', 'cache', 'stream']],
  ['beta-small-4-5', 200 * thousand, ['tools', 'cache', 'stream']],
  ['gamma-3-pro', 2000 * thousand, ['tools', 'vision', 'media', 'stream', 'json_schema']],
  ['gamma-3-flash', 1000 * thousand, ['tools', 'vision', 'stream', 'json_schema']],
  ['delta-3', 256 * thousand, ['tools', 'stream']],
];

/** The chat models that every gateway knows, by id. */
export const chatModels: Catalogue = new Map(rows.map((row) => [row[0], chatModel(...row)]));

/** Every chat model of one gateway by id: the catalogue, then what its configuration adds. */
export type Catalogue = ReadonlyMap<string, ChatModel>;

export function catalogueWith(configured: readonly ConfiguredModel[]): Catalogue {
  const added = configured.map((row) =>
    chatModel(row.id, row.context_tokens, row.capabilities, row.output_tokens),
  );
  return new Map([...chatModels, ...added.map((model) => [model.id, model] as const)]);
}

function chatModel(
  ...[id, contextTokens, capabilities, outputTokens = contextTokens]: [...Row, number?]
): ChatModel {
  const can = (capability: Capability): boolean => capabilities.includes(capability);
  return {
    id,
    contextTokens,
    outputTokens,
    tools: can('tools'),
    vision: can('vision'),
    media: can('media'),
    cache: can('cache'),
    stream: can('stream'),
    jsonSchema: can('json_schema'),
    compat: compatOf(id),
  };
}

/** The specification identifies the models of the compat paths by prefixes of their ids. */
function compatOf(id: string): ChatModel['compat'] {
  if (id.startsWith('beta-')) return 'messages';
  return id.startsWith('gamma-') ? 'generate-content' : null;
}
