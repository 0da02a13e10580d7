import { isObject, type JsonObject } from '../../http/parse-json.ts';
import { ArgumentText } from '../argument-text.ts';
import { callId } from '../call-id.ts';
import type { StreamPiece } from '../outcome.ts';
import { isLegalDelta, legalBlock } from './native-block.ts';
import type { Reading } from './reading.ts';

interface Block {
  /** Our number of the block in the stream, independent of the upstream's index. */
  readonly serial: number;
  /** `tool` until its name shows that it holds the text; `other` for blocks outside the answer. */
  kind: 'text' | 'tool' | 'document' | 'other';
  /** Its native kind; null for a block that is not passed on. */
  native: unknown;
  /** Our index of the call, once it has been announced. */
  call: number | null;
  /** Input that arrived whole with the start, in case no fragments follow. */
  whole: unknown;
  /** Input that arrived in fragments. */
  readonly input: ArgumentText;
  /** The part of it that arrived before the name. */
  waiting: string;
  isClosed: boolean;
}

/**
 * The content blocks of one stream, which may interleave. Text goes out as it arrives. A call gets its index, id
 * and name once, at its start, then its arguments. The input of `textTool` goes out as text and replaces any other
 * text of the model. With `keepNative`, the events of other blocks go out unchanged under our own index. So do the
 * end of a text block and its non-text deltas.
 */
export class ContentBlocks {
  readonly #textTool: string | null;
  readonly #newCallId: () => string;
  readonly #keepNative: boolean;
  readonly #ids = new Set<string>();
  readonly #blocks = new Map<unknown, Block>();
  #last: Block | null = null;
  #begun = 0;
  #calls = 0;
  #hasDocument = false;
  /** Text that goes out only if no document comes. */
  #held = '';

  constructor({ textTool, newCallId, keepNative }: Reading) {
    this.#textTool = textTool;
    this.#newCallId = newCallId;
    this.#keepNative = keepNative;
  }

  /** Takes the start of a block. Here and below, false means that the event is invalid. */
  start(index: unknown, native: unknown, pieces: StreamPiece[]): boolean {
    if (!isObject(native)) return false;
    if (native.type === 'tool_use') return this.#startTool(index, native, pieces);
    const before = this.#blocks.get(index);
    if (before?.kind === 'text' || before?.kind === 'other') this.#close(before, pieces);
    const block = this.#open(index, native.type === 'text' ? 'text' : 'other');
    if (block.kind === 'other') this.#begin(block, native, pieces);
    return native.type !== 'text' || this.#text(native.text ?? '', pieces);
  }

  /** Takes more of a block. What arrives before the start of its block is kept for it. */
  grow(index: unknown, delta: unknown, pieces: StreamPiece[]): boolean {
    if (!isObject(delta)) return false;
    const block = this.#blockAt(index);
    if (block?.kind === 'other') {
      this.#more(block, delta, pieces);
      return delta.type !== 'input_json_delta' || typeof delta.partial_json === 'string';
    }
    if (delta.type === 'text_delta') return this.#text(delta.text ?? '', pieces);
    if (block?.kind === 'text' && delta.type !== 'input_json_delta') this.#more(block, delta, pieces);
    if (delta.type !== 'input_json_delta') return true;
    const { partial_json: given = null } = delta;
    if (given !== null && typeof given !== 'string' && !isObject(given)) return false;
    const text = given === null ? '' : argumentsText(given);
    const target = block ?? this.#open(index, 'tool');
    this.#input(target, target.input.take(text), pieces);
    return true;
  }

  /** Takes the end of a block. */
  stop(index: unknown, pieces: StreamPiece[]): boolean {
    const block = this.#blockAt(index);
    if (block !== null) this.#close(block, pieces);
    return true;
  }

  /** Closes what is still open; false when a call never got its name. */
  finish(pieces: StreamPiece[]): boolean {
    for (const block of this.#blocks.values()) this.#close(block, pieces);
    if (!this.#hasDocument && this.#held !== '') this.#say(this.#held, pieces);
    this.#held = '';
    return [...this.#blocks.values()].every((block) => block.kind !== 'tool' || block.call !== null);
  }

  #startTool(index: unknown, { id, name, input }: JsonObject, pieces: StreamPiece[]): boolean {
    if (typeof name !== 'string' || name === '') return false;
    const before = this.#blockAt(index);
    const isWaiting = before?.kind === 'tool' && before.call === null;
    // A start at an index that is taken ends the block there.
    if (before !== null && !isWaiting && this.#blocks.get(index) === before) this.#close(before, pieces);
    const block = isWaiting ? before : this.#open(index, 'tool');
    block.whole = input;
    if (name === this.#textTool) {
      // The first document is the answer; any other is dropped.
      block.kind = this.#hasDocument ? 'other' : 'document';
      this.#hasDocument = true;
    } else {
      block.call = this.#calls;
      this.#calls += 1;
      const ownId = callId(id, this.#ids, this.#newCallId);
      pieces.push({ kind: 'tool_start', index: block.call, id: ownId, name });
    }
    const { waiting } = block;
    block.waiting = '';
    this.#input(block, waiting, pieces);
    return true;
  }

  #blockAt(index: unknown): Block | null {
    return index === undefined || index === null ? this.#last : (this.#blocks.get(index) ?? null);
  }

  #open(index: unknown, kind: Block['kind']): Block {
    const block: Block = {
      serial: this.#begun,
      kind,
      native: kind === 'text' ? 'text' : null,
      call: null,
      whole: undefined,
      input: new ArgumentText(),
      waiting: '',
      isClosed: false,
    };
    this.#begun += 1;
    // A start without an index is a block of its own.
    this.#blocks.set(index ?? Symbol('no index'), block);
    this.#last = block;
    return block;
  }

  #text(text: unknown, pieces: StreamPiece[]): boolean {
    if (typeof text !== 'string') return false;
    if (this.#textTool === null) this.#say(text, pieces);
    else this.#held += text;
    return true;
  }

  #input(block: Block, text: string, pieces: StreamPiece[]): void {
    if (text === '') return;
    if (block.kind === 'document') this.#say(text, pieces);
    if (block.kind !== 'tool') return;
    if (block.call === null) block.waiting += text;
    else pieces.push({ kind: 'tool_arguments', index: block.call, text });
  }

  /** Arguments are always JSON: those that came without fragments go out whole. */
  #close(block: Block, pieces: StreamPiece[]): void {
    if (block.isClosed) return;
    block.isClosed = true;
    if (block.kind === 'text' || block.kind === 'other') this.#pass(block, 'content_block_stop', {}, pieces);
    if (block.kind === 'text' || block.kind === 'other') return;
    const whole = block.input.given === '' ? block.input.take(argumentsText(block.whole)) : '';
    this.#input(block, whole + block.input.close(), pieces);
  }

  /** Passes on a block that the common form cannot express, with its deltas if they fit its kind. */
  #begin(block: Block, native: JsonObject, pieces: StreamPiece[]): void {
    const legal = legalBlock(native);
    if (legal === null) return;
    block.native = legal.type;
    this.#pass(block, 'content_block_start', { content_block: legal }, pieces);
  }

  #more(block: Block, delta: JsonObject, pieces: StreamPiece[]): void {
    if (isLegalDelta(block.native, delta)) this.#pass(block, 'content_block_delta', { delta }, pieces);
  }

  /** Passes an event on to callers of the same dialect. Events after the end of their block are dropped. */
  #pass(block: Block, type: string, more: JsonObject, pieces: StreamPiece[]): void {
    if (!this.#keepNative || block.native === null) return;
    if (block.isClosed && type !== 'content_block_stop') return;
    pieces.push({ kind: 'native', native: { type, index: block.serial, ...more } });
  }

  #say(text: string, pieces: StreamPiece[]): void {
    if (text === '') return;
    pieces.push({ kind: 'text', text });
  }
}

/** The input of a call as text. Malformed arguments of the model arrive as a string and stay one (fault M14). */
function argumentsText(input: unknown): string {
  return typeof input === 'string' ? input : JSON.stringify(input ?? {});
}
