import { cacheOf, hintsIn, type Json, objectOf, objectsIn, textOrNull } from './json.ts';
import type { Call, NativeView, Part, Result, ToolChoice, Turn } from './view.ts';

/**
 * Reads a request of the messages dialect: system text outside the turns, tool results as blocks of user turns.
 */
export function readMessages(body: Json): NativeView {
  return {
    dialect: 'messages',
    model: textOrNull(body.model),
    stream: body.stream === true,
    system: partsOf(blocksOf(body.system)),
    turns: objectsIn(body.messages).flatMap(turnsOf),
    tools: objectsIn(body.tools).map((tool) => ({
      name: String(tool.name),
      description: textOrNull(tool.description),
      parameters: tool.input_schema ?? null,
      schema: 'json-schema',
      cache: cacheOf(tool),
    })),
    fields: {
      temperature: body.temperature ?? null,
      top_p: body.top_p ?? null,
      max_tokens: body.max_tokens ?? null,
      stop: (body.stop_sequences as unknown[] | null | undefined) ?? [],
      seed: body.seed ?? null,
      tool_choice: choiceOf(objectOf(body.tool_choice)),
      response_format: formatOf(body),
      user: objectOf(body.metadata).user_id ?? null,
    },
    hints: hintsIn(body),
  };
}

function blocksOf(content: unknown): Json[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objectsIn(content);
}

/** The turns within one native turn: each tool result separately, and the rest. */
function turnsOf(message: Json): Turn[] {
  const role = String(message.role);
  const turns: Turn[] = [];
  let said: Json[] = [];
  const close = (): void => {
    const parts = partsOf(said.filter((block) => block.type !== 'tool_use'));
    const calls = said.filter((block) => block.type === 'tool_use').map(callOf);
    if (parts.length > 0 || calls.length > 0) turns.push({ role, parts, calls, result: null });
    said = [];
  };
  for (const block of blocksOf(message.content)) {
    if (block.type !== 'tool_result') {
      said.push(block);
      continue;
    }
    close();
    turns.push({ role: 'tool', parts: [], calls: [], result: resultOf(block) });
  }
  close();
  return turns.length > 0 ? turns : [{ role, parts: [], calls: [], result: null }];
}

function callOf(block: Json): Call {
  return {
    id: textOrNull(block.id),
    name: String(block.name),
    arguments: block.input ?? {},
    cache: cacheOf(block),
  };
}

function resultOf(block: Json): Result {
  const inner = blocksOf(block.content);
  const other = inner.some((one) => one.type !== 'text');
  const value = other ? inner : inner.map((one) => String(one.text)).join('');
  return { callId: textOrNull(block.tool_use_id), name: null, value, cache: cacheOf(block) };
}

function partsOf(blocks: readonly Json[]): Part[] {
  return blocks.map(partOf).filter((part) => part.kind !== 'text' || part.text !== '');
}

function partOf(block: Json): Part {
  const cache = cacheOf(block);
  if (block.type === 'text') return { kind: 'text', text: String(block.text), cache };
  const { type, media_type, data, url } = objectOf(block.source);
  if (type !== 'base64' && type !== 'url') return { kind: 'other', raw: block, cache };
  return {
    kind: 'media',
    block: String(block.type),
    mime: textOrNull(media_type),
    base64: type === 'base64' ? textOrNull(data) : null,
    url: type === 'url' ? textOrNull(url) : null,
    cache,
  };
}

function choiceOf({ type, name }: Json): ToolChoice | null {
  if (type === 'tool') return { name: String(name) };
  if (type === 'any') return 'required';
  return type === 'auto' || type === 'none' ? type : null;
}

/** The dialect's native JSON mode, where an upstream has one; most gateways force JSON by other means. */
function formatOf(body: Json): { type: string; schema: unknown } | null {
  const format = objectOf(body.output_format ?? objectOf(body.output_config).format);
  return typeof format.type === 'string' ? { type: format.type, schema: format.schema ?? null } : null;
}
