import type { ScriptedUsage } from '../../control/protocol.ts';

/** How a careful client understands an answer. */
export interface Reading {
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  /** The dialect's finish reason; null when there is none. */
  readonly finish: string | null;
  readonly usage: ScriptedUsage | null;
  /** Whether the answer itself reports a failure. */
  readonly hasError: boolean;
}

/** A JSON document of unknown shape. */
export type Json = { readonly [member: string]: unknown };

interface Call {
  id: string;
  name: string;
  arguments: string;
}

/** Chunks of a stream, or the one document of a plain answer. */
export function readChat(documents: readonly Json[]): Reading {
  const calls: Call[] = [];
  const places = new Map<number, Call>();
  let text = '';
  let finish: string | null = null;
  let usage: ScriptedUsage | null = null;
  for (const document of documents) {
    if (isObject(document.usage)) usage = chatUsage(document.usage);
    const choice = listOf(document.choices).find(({ index }) => index === 0);
    if (choice === undefined || finish !== null) continue;
    const said = objectOf(choice.delta ?? choice.message);
    text += textOf(said.content);
    for (const fragment of listOf(said.tool_calls)) takeFragment(fragment, calls, places);
    finish = typeof choice.finish_reason === 'string' ? choice.finish_reason : null;
  }
  return { text, calls, finish, usage, hasError: documents.some(hasError) };
}

/** Another id starts a call, as another index does. A fragment without both belongs to the last call. */
function takeFragment(fragment: Json, calls: Call[], places: Map<number, Call>): void {
  const { name, arguments: piece } = objectOf(fragment.function);
  const index = typeof fragment.index === 'number' ? fragment.index : null;
  const id = textOf(fragment.id);
  let call = index === null ? calls.at(-1) : places.get(index);
  if (call === undefined || (id !== '' && call.id !== '' && call.id !== id)) {
    if (id === '' && index === null) throw new Error('a fragment belongs to no call');
    call = { id, name: '', arguments: '' };
    calls.push(call);
    if (index !== null) places.set(index, call);
  }
  if (id !== '') call.id = id;
  call.name += textOf(name);
  call.arguments += textOf(piece);
}

/** Named events, or the one message of a plain answer. */
export function readMessages(documents: readonly Json[]): Reading {
  const calls = new Map<unknown, Call>();
  let text = '';
  let finish: string | null = null;
  let counts: Json = {};
  const takeBlock = (block: Json, index: unknown, isWhole: boolean): void => {
    if (block.type === 'text') text += textOf(block.text);
    if (block.type !== 'tool_use') return;
    const input = typeof block.input === 'string' ? block.input : JSON.stringify(block.input);
    const hasInput = isWhole || input !== '{}';
    calls.set(index, { id: textOf(block.id), name: textOf(block.name), arguments: hasInput ? input : '' });
  };
  for (const document of documents) {
    const { type, index } = document;
    const delta = objectOf(document.delta);
    if (type === 'message') {
      for (const [at, block] of listOf(document.content).entries()) takeBlock(block, at, true);
    }
    if (type === 'content_block_start' && finish === null)
      takeBlock(objectOf(document.content_block), index, false);
    if (type === 'content_block_delta' && finish === null) {
      text += textOf(delta.text);
      const call = calls.get(index);
      if (call !== undefined) call.arguments += textOf(delta.partial_json);
    }
    const usage = objectOf(document.usage ?? objectOf(document.message).usage);
    // A count of null or zero says nothing where another one is known.
    const said = Object.entries(usage).filter(
      ([name, value]) => value !== null && (value !== 0 || !counts[name]),
    );
    counts = { ...counts, ...Object.fromEntries(said) };
    const reason = document.stop_reason ?? delta.stop_reason;
    if (typeof reason === 'string') finish = reason;
  }
  return {
    text,
    calls: [...calls.values()],
    finish,
    usage: counts.input_tokens === undefined ? null : messagesUsage(counts),
    hasError: documents.some(hasError),
  };
}

/** Chunks of a stream, or the one document of a plain answer. */
export function readGenerate(documents: readonly Json[]): Reading {
  let text = '';
  let finish: string | null = null;
  let usage: ScriptedUsage | null = null;
  for (const document of documents) {
    if (isObject(document.usageMetadata)) usage = generateUsage(document.usageMetadata);
    const candidate = listOf(document.candidates).find(({ index }) => index === 0);
    if (candidate === undefined || finish !== null) continue;
    const { parts } = objectOf(candidate.content);
    text += listOf(parts)
      .map((part) => textOf(part.text))
      .join('');
    finish = typeof candidate.finishReason === 'string' ? candidate.finishReason : null;
  }
  const blocked = documents.some(({ promptFeedback }) => promptFeedback !== undefined);
  return { text, calls: [], finish, usage, hasError: blocked || documents.some(hasError) };
}

function hasError({ error, object }: Json): boolean {
  return isObject(error) || object === 'error';
}

function chatUsage(usage: Json): ScriptedUsage {
  const [prompt, total] = [numberOf(usage.prompt_tokens), numberOf(usage.total_tokens)];
  const cached = objectOf(usage.prompt_tokens_details).cached_tokens ?? usage.prompt_cache_hit_tokens;
  const reasoning = numberOf(objectOf(usage.completion_tokens_details).reasoning_tokens);
  return {
    prompt_tokens: prompt,
    // Reasoning may stand beside the count, or the output only in the total.
    completion_tokens: reasoning > 0 ? total - prompt : numberOf(usage.completion_tokens),
    cached_tokens: numberOf(cached),
    reasoning_tokens: reasoning,
  };
}

function messagesUsage(usage: Json): ScriptedUsage {
  const read = numberOf(usage.cache_read_input_tokens);
  const written = numberOf(usage.cache_creation_input_tokens);
  return {
    prompt_tokens: numberOf(usage.input_tokens) + read + written,
    completion_tokens: numberOf(usage.output_tokens),
    cached_tokens: read,
    cache_write_tokens: written,
    cache_write_1h_tokens: numberOf(objectOf(usage.cache_creation).ephemeral_1h_input_tokens),
    reasoning_tokens: numberOf(objectOf(usage.output_tokens_details).thinking_tokens),
  };
}

function generateUsage(usage: Json): ScriptedUsage {
  const thoughts = numberOf(usage.thoughtsTokenCount);
  const [prompt, total] = [numberOf(usage.promptTokenCount), numberOf(usage.totalTokenCount)];
  return {
    prompt_tokens: prompt,
    completion_tokens: thoughts > 0 ? total - prompt : numberOf(usage.candidatesTokenCount),
    cached_tokens: numberOf(usage.cachedContentTokenCount),
    reasoning_tokens: thoughts,
  };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
