import type { ChatFields } from './chat-schema.ts';
import { mediaOf } from './media-url.ts';
import type { Message } from './message-schema.ts';

/** The longest entries of tokenizer vocabularies for running text, in characters. */
const maxCharactersPerToken = 32;

/** How many characters are counted between two pauses. */
export const charactersPerTurn = 512 * 1024;

/** Tokens that chat templates add: generous, because the bound must hold for every upstream. */
const maxAroundPrompt = 2048;
const maxAroundMessage = 32;
const maxAroundBlock = 16;
const maxAroundTool = 64;
/** The highest count of an image in any protocol. Other media have no bound: a small file can hold hours or many pages. */
const maxAnImage = 16_384;

/** Whether the length of its texts alone shows that the lower bound of a prompt is at most `room` tokens. */
export function isShort({ messages }: ChatFields, texts: readonly string[], room: number): boolean {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return messages.length + length / maxCharactersPerToken <= room;
}

/**
 * A lower bound on the tokens of a prompt under any tokenizer. The costly count stops above `room`. Yields so that other
 * requests can run.
 */
export function* minPromptTokens(
  { messages }: ChatFields,
  texts: readonly string[],
  room: number,
): Generator<void, number> {
  // Every message costs at least one token.
  const count = messages.length;
  let visible = 0;
  for (const text of texts) {
    for (let from = 0; from < text.length; from += charactersPerTurn) {
      visible += countVisible(text, from, Math.min(from + charactersPerTurn, text.length));
      if (count + visible / maxCharactersPerToken > room) return count + visible / maxCharactersPerToken;
      if (text.length > charactersPerTurn) yield;
    }
  }
  return count + visible / maxCharactersPerToken;
}

/**
 * An upper bound on the tokens of a prompt under any tokenizer: a token holds at least one byte. Infinite when the
 * prompt carries media of unknown length.
 */
export function maxPromptTokens(
  { messages, tools, response_format: format }: ChatFields,
  texts: readonly string[],
): number {
  const written = [...texts, ...messages.flatMap(labels), JSON.stringify(format ?? null)];
  const bytes = bytesIn(written);
  const around = maxAroundPrompt + messages.length * maxAroundMessage + (tools ?? []).length * maxAroundTool;
  return messages.reduce((sum, message) => sum + maxOfBlocks(message), bytes + around);
}

/** Likely maxima of prompts: running text has more bytes per token, and most media are small. */
const likelyBytesPerToken = 3;
const likelyAroundMessage = 8;
const likelyAnImage = 2_000;
const likelyAMedium = 20_000;

/** An estimate of the tokens of a prompt, above what most tokenizers count. */
export function likelyPromptTokens(fields: ChatFields): number {
  const bytes = bytesIn(promptTexts(fields));
  const media = fields.messages.flatMap(({ role, content }) =>
    role === 'user' && Array.isArray(content)
      ? content.map((block) => (block.type === 'text' ? 0 : likelyMedium(block.image_url.url)))
      : [],
  );
  return Math.ceil(
    bytes / likelyBytesPerToken +
      fields.messages.length * likelyAroundMessage +
      media.reduce((sum, tokens) => sum + tokens, 0),
  );
}

function likelyMedium(url: string): number {
  return mediaOf(url).kind === 'image' ? likelyAnImage : likelyAMedium;
}

function maxOfBlocks(message: Message): number {
  if (message.role === 'assistant') return (message.tool_calls ?? []).length * maxAroundTool;
  if (!Array.isArray(message.content)) return 0;
  return message.content.reduce((sum, block) => {
    if (block.type === 'text') return sum + maxAroundBlock;
    return sum + (mediaOf(block.image_url.url).kind === 'image' ? maxAnImage : Number.POSITIVE_INFINITY);
  }, 0);
}

/** All texts of a prompt. */
export function promptTexts({ messages, tools }: ChatFields): string[] {
  const texts = messages.flatMap(messageTexts);
  return tools == null || tools.length === 0 ? texts : [...texts, JSON.stringify(tools)];
}

function messageTexts(message: Message): string[] {
  const { content } = message;
  const texts = Array.isArray(content)
    ? content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
    : [content ?? ''];
  if (message.role !== 'assistant') return texts;
  const calls = message.tool_calls ?? [];
  return [...texts, ...calls.flatMap((call) => [call.function.name, call.function.arguments])];
}

/** Texts that a protocol may show to the model or not. */
function labels(message: Message): string[] {
  const ids = message.role === 'assistant' ? (message.tool_calls ?? []).map((call) => call.id) : [];
  if (message.role === 'tool') ids.push(message.tool_call_id);
  return [message.name ?? '', ...ids];
}

/** Counts characters that no tokenizer merges without limit: no white space and no repetition of the previous character. */
function countVisible(text: string, from: number, to: number): number {
  let count = 0;
  let before = 0;
  for (let i = from; i < to; i += 1) {
    const character = text.codePointAt(i) ?? 0;
    if (character !== before && !isBlank(character)) count += 1;
    before = character;
    if (character > 0xffff) i += 1;
  }
  return count;
}

function isBlank(character: number): boolean {
  if (character < 0x80) return character === 0x20 || (character >= 0x09 && character <= 0x0d);
  return character < 0x1_0000 && String.fromCharCode(character).trim() === '';
}

/** The total length of texts in bytes. */
export function bytesIn(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
