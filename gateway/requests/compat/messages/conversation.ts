import { isObject, type JsonObject } from '../../../http/parse-json.ts';
import type { CacheHint } from '../../cache-hint.ts';
import type { ContentBlock, Message, TextBlock } from '../../message-schema.ts';
import { type CommonForm, objectsIn } from './common-form.ts';
import { blockKind, documentText, mediaUrl } from './media.ts';

type ToolCall = NonNullable<Extract<Message, { role: 'assistant' }>['tool_calls']>[number];

const turnMembers = ['role', 'content'] as const;
const textMembers = ['type', 'text', 'cache_control'] as const;
const useMembers = ['type', 'id', 'name', 'input', 'cache_control'] as const;
const resultMembers = ['type', 'tool_use_id', 'content', 'is_error', 'cache_control'] as const;

/**
 * The conversation of a checked native body in common form, with all digits: the system first, tool results as
 * messages.
 */
export function commonMessages({ system, messages }: JsonObject, words: CommonForm): Message[] {
  const builder = new Conversation(words);
  builder.system(system, messages);
  for (const [i, turn] of objectsIn(messages).entries()) {
    if (turn.role === 'system') continue;
    const at = `messages[${i}]`;
    words.onlyKnown(turn, at, turnMembers);
    if (turn.role === 'assistant') builder.assistant(turn.content, at);
    else builder.user(turn.content, at);
  }
  return builder.messages;
}

class Conversation {
  readonly messages: Message[] = [];
  readonly #words: CommonForm;

  constructor(words: CommonForm) {
    this.#words = words;
  }

  /** The prompt of the field, then those of system turns (B-93). A single text remains a text. */
  system(field: unknown, turns: unknown): void {
    const given: [unknown, string][] = field == null ? [] : [[field, 'system']];
    for (const [i, turn] of objectsIn(turns).entries()) {
      if (turn.role === 'system') given.push([turn.content, `messages[${i}].content`]);
    }
    const [first] = given;
    if (first === undefined) return;
    const [only, place] = first;
    const content =
      given.length === 1 && typeof only === 'string'
        ? only
        : given.flatMap(([prompt, at]) => this.#texts(prompt, at));
    this.#add({ role: 'system', content }, place);
  }

  /** Tool results become messages that precede the user's other content. */
  user(content: unknown, at: string): void {
    if (typeof content === 'string') {
      this.#add({ role: 'user', content }, at);
      return;
    }
    const said = objectsIn(content).flatMap((block, i) => {
      const place = `${at}.content[${i}]`;
      return block.type === 'tool_result' ? this.#result(block, place) : this.#said(block, place);
    });
    const message = `messages[${this.messages.length}]`;
    for (const [i, [, place]] of said.entries()) this.#words.place(`${message}.content[${i}]`, place);
    if (said.length > 0) this.#add({ role: 'user', content: said.map(([block]) => block) }, at);
  }

  assistant(content: unknown, at: string): void {
    const texts: string[] = typeof content === 'string' ? [content] : [];
    const calls: ToolCall[] = [];
    for (const [i, block] of objectsIn(content).entries()) {
      const place = `${at}.content[${i}]`;
      if (block.type === 'text') {
        this.#words.onlyKnown(block, place, textMembers);
        texts.push(String(block.text));
      } else if (block.type === 'tool_use') {
        this.#words.onlyKnown(block, place, useMembers);
        this.#words.place(`messages[${this.messages.length}].tool_calls[${calls.length}]`, place);
        calls.push({
          id: String(block.id),
          type: 'function',
          function: { name: String(block.name), arguments: JSON.stringify(block.input) },
        });
      } else this.#words.nativeOnly.push(place);
    }
    const text = texts.join('');
    if (calls.length === 0) this.#add({ role: 'assistant', content: text }, at);
    else this.#add({ role: 'assistant', content: text === '' ? null : text, tool_calls: calls }, at);
  }

  /**
   * Adds the result of a call. Media in it are native-only but still need the model's capability, so they are
   * returned as content.
   */
  #result(block: JsonObject, at: string): [ContentBlock, string][] {
    this.#words.onlyKnown(block, at, resultMembers);
    if (block.is_error === true) this.#words.nativeOnly.push(`${at}.is_error`);
    const texts: string[] = typeof block.content === 'string' ? [block.content] : [];
    const shown: [ContentBlock, string][] = [];
    for (const [i, inner] of objectsIn(block.content).entries()) {
      const place = `${at}.content[${i}]`;
      if (inner.type !== 'text') this.#words.nativeOnly.push(place);
      for (const one of this.#said(inner, place)) {
        if (one[0].type === 'text') texts.push(one[0].text);
        else shown.push(one);
      }
    }
    this.#add({ role: 'tool', tool_call_id: String(block.tool_use_id), content: texts.join('\n') }, at);
    return shown;
  }

  /** A block in common form: a text or a medium; several for a document of blocks; none for native-only blocks. */
  #said(block: JsonObject, at: string): [ContentBlock, string][] {
    const hint = hintOf(block);
    if (block.type === 'text') {
      this.#words.onlyKnown(block, at, textMembers);
      return [[{ type: 'text', text: String(block.text), ...hint }, at]];
    }
    const kind = blockKind(block.type);
    const text = documentText(block);
    const inner = isObject(block.source) ? block.source.content : null;
    if (kind === null || text !== null || inner != null) {
      this.#words.nativeOnly.push(at);
      if (text !== null) return [[{ type: 'text', text }, at]];
      if (typeof inner === 'string') return [[{ type: 'text', text: inner }, at]];
      return objectsIn(inner).flatMap((one, i) => this.#said(one, `${at}.source.content[${i}]`));
    }
    const url = mediaUrl(block, kind, at, this.#words);
    return [[{ type: 'image_url', image_url: { url }, ...hint }, at]];
  }

  #texts(prompt: unknown, at: string): TextBlock[] {
    if (typeof prompt === 'string') return [{ type: 'text', text: prompt }];
    return objectsIn(prompt).map((block, i) => {
      this.#words.onlyKnown(block, `${at}[${i}]`, textMembers);
      return { type: 'text', text: String(block.text), ...hintOf(block) };
    });
  }

  #add(message: Message, native: string): void {
    this.#words.place(`messages[${this.messages.length}]`, native);
    this.messages.push(message);
  }
}

/** A cache hint in common form, if known; an unknown one is dropped, because it is only a hint (B-29). */
function hintOf({ cache_control: hint }: JsonObject): { cache_control?: CacheHint } {
  if (!isObject(hint) || hint.type !== 'ephemeral') return {};
  const { ttl } = hint;
  return { cache_control: { type: 'ephemeral', ...((ttl === '5m' || ttl === '1h') && { ttl }) } };
}
