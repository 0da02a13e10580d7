import { isObject, type JsonObject } from '../../../http/parse-json.ts';
import type { ContentBlock, Message } from '../../message-schema.ts';
import type { NativeOnlyFields } from './native-only-fields.ts';
import { OpenCalls } from './open-calls.ts';
import { type CommonPart, readPart } from './parts.ts';
import { spelled } from './spelling.ts';

type Call = NonNullable<Extract<Message, { role: 'assistant' }>['tool_calls']>[number];
type PlacedWords = { readonly at: string; readonly words: CommonPart };

/** The conversation of a native body in common form, with the paths of its messages and blocks in that body. */
export class Conversation {
  readonly messages: Message[] = [];
  /** Where each message stands in the body, and each block of its content; rarely needed. */
  readonly #sources: { readonly at: string; readonly blocks: readonly { readonly at: string }[] }[] = [];
  #places: ReadonlyMap<string, string> | null = null;
  readonly #nativeOnly: NativeOnlyFields;
  readonly #open = new OpenCalls();
  #callCount = 0;

  constructor(body: JsonObject, nativeOnly: NativeOnlyFields) {
    this.#nativeOnly = nativeOnly;
    this.#takeInstruction(body);
    for (const [i, content] of listOf(body.contents).entries()) this.#takeContent(content, `contents[${i}]`);
    this.#closeCalls();
  }

  /** The body paths of messages and their blocks, by their path in common form. */
  get places(): ReadonlyMap<string, string> {
    this.#places ??= new Map(
      this.#sources.flatMap(({ at, blocks }, message) => [
        [`messages[${message}]`, at] as const,
        ...blocks.map((block, i) => [`messages[${message}].content[${i}]`, block.at] as const),
      ]),
    );
    return this.#places;
  }

  #takeInstruction(body: JsonObject): void {
    const at = spelled(body, 'systemInstruction');
    const given = body[at];
    const content = typeof given === 'string' ? { parts: [{ text: given }] } : given;
    if (!isObject(content)) return;
    this.#nativeOnly.addOthers(content, at, ['role', 'parts']);
    const parts = Array.isArray(content.parts) ? content.parts : [content.parts];
    const texts = this.#wordsOf(parts, at).flatMap(({ words, at: place }) => {
      if (words.kind === 'text') return [words.text];
      this.#nativeOnly.add(place);
      return [];
    });
    if (texts.length > 0) this.#say({ role: 'system', content: texts.join('\n') }, at);
  }

  #takeContent(content: JsonObject, at: string): void {
    this.#nativeOnly.addOthers(content, at, ['role', 'parts']);
    const words = this.#wordsOf(listOf(content.parts), at);
    if (content.role === 'model') this.#takeModelTurn(words, at);
    else this.#takeUserTurn(words, at);
  }

  #wordsOf(parts: readonly unknown[], at: string): PlacedWords[] {
    return parts.flatMap((part, i) => {
      const place = `${at}.parts[${i}]`;
      const words = isObject(part) ? readPart(part, place, this.#nativeOnly) : null;
      return words === null ? [] : [{ at: place, words }];
    });
  }

  #takeModelTurn(parts: readonly PlacedWords[], at: string): void {
    this.#closeCalls();
    const texts: string[] = [];
    const calls: Call[] = [];
    for (const { at: place, words } of parts) {
      if (words.kind === 'text') texts.push(words.text);
      else if (words.kind === 'call') calls.push(this.#call(words, place));
      else this.#nativeOnly.add(place);
    }
    if (texts.length === 0 && calls.length === 0) return;
    const content = texts.length > 0 ? texts.join('') : null;
    this.#say({ role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) }, at);
  }

  /** A call as part of a message. A call without an id gets one, so that its result can refer to it. */
  #call(words: CommonPart & { kind: 'call' }, at: string): Call {
    this.#callCount += 1;
    const id = words.id ?? `call_${this.#callCount}`;
    this.#open.add({ id, name: words.name, hasOwnId: words.id !== null, at });
    return {
      id,
      type: 'function',
      function: { name: words.name, arguments: words.arguments },
      ...(words.signature !== null && { extra_content: { thought_signature: words.signature } }),
    };
  }

  /** Puts results first: in common form nothing may stand between a call and its result. */
  #takeUserTurn(parts: readonly PlacedWords[], at: string): void {
    const blocks: { at: string; block: ContentBlock }[] = [];
    for (const { at: place, words } of parts) {
      if (words.kind === 'result') this.#answerCall(words, place);
      else if (words.kind === 'text') blocks.push({ at: place, block: { type: 'text', text: words.text } });
      else if (words.kind === 'medium')
        blocks.push({ at: place, block: { type: 'image_url', image_url: { url: words.url } } });
      else this.#nativeOnly.add(place);
    }
    if (blocks.length === 0) return;
    this.#closeCalls();
    const [only] = blocks;
    const text = blocks.length === 1 && only?.block.type === 'text' ? only.block.text : null;
    const content = text ?? blocks.map(({ block }) => block);
    this.#say({ role: 'user', content }, at, blocks);
  }

  #answerCall(result: CommonPart & { kind: 'result' }, at: string): void {
    const call = this.#open.answer(result);
    if (call === null) {
      this.#nativeOnly.add(at);
      return;
    }
    this.#say({ role: 'tool', tool_call_id: call.id, content: result.text }, at);
  }

  /** In common form every call needs a result. */
  #closeCalls(): void {
    for (const { at } of this.#open.close()) this.#nativeOnly.add(at);
  }

  #say(message: Message, at: string, blocks: readonly { readonly at: string }[] = []): void {
    this.#sources.push({ at, blocks });
    this.messages.push(message);
  }
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
