import { isObject, type JsonObject, parseObjectText } from '../../http/parse-json.ts';
import type { StreamPiece } from '../../upstreams/outcome.ts';
import { messageEvent } from './message-event.ts';

type NativeEvent = Extract<StreamPiece, { kind: 'native' }>['native'];

interface Block {
  readonly kind: 'text' | 'tool' | 'other';
  readonly start: JsonObject;
  /** Deltas that wait for the block's turn. */
  readonly waiting: object[];
  /** Arguments of a call so far. */
  text: string;
  /** Length of the arguments when they were last checked. */
  looked: number;
  /** Whether the block is complete. */
  isOver: boolean;
}

/**
 * Writes the blocks of one stream one after another, whatever the order of the pieces. A block that begins while
 * another is open waits for its turn. A text block closes as soon as another waits, a call when its arguments are
 * complete, any other when its end arrives.
 */
export class BlockWriter {
  /** The block being written, followed by those that wait. */
  readonly #line: Block[] = [];
  readonly #calls = new Map<number, Block>();
  readonly #others = new Map<unknown, Block>();
  #index = 0;
  #isStarted = false;

  /** The events for a piece; an empty text if it has to wait. */
  take(piece: StreamPiece): string {
    switch (piece.kind) {
      case 'text':
        return this.#grow(this.#textBlock() ?? this.#beginText(), { type: 'text_delta', text: piece.text });
      case 'tool_start': {
        const { id, name } = piece;
        this.#calls.set(piece.index, this.#begin('tool', { type: 'tool_use', id, name, input: {} }));
        return this.#advance();
      }
      case 'tool_arguments':
        return this.#argue(this.#calls.get(piece.index), piece.text);
      case 'native':
        return this.#native(piece.native);
    }
  }

  /** Closes all open blocks. */
  finish(): string {
    for (const block of this.#line) block.isOver = true;
    return this.#advance();
  }

  #native(event: NativeEvent): string {
    const { type, index } = event;
    if (type === 'content_block_start') {
      const block = isObject(event.content_block) ? event.content_block : {};
      this.#others.set(index, this.#begin('other', block));
      return this.#advance();
    }
    // Text blocks have no start event here: an unknown index belongs to the latest text block, or to a new one.
    const block = this.#others.get(index) ?? this.#textBlock();
    if (type !== 'content_block_stop')
      return isObject(event.delta) ? this.#grow(block ?? this.#beginText(), event.delta) : '';
    if (block === null) return '';
    block.isOver = true;
    return this.#advance();
  }

  #argue(block: Block | undefined, text: string): string {
    if (block === undefined) return '';
    block.text += text;
    // The start already contains an empty object.
    if (text === '{}' && block.text === text) return this.#advance();
    return this.#grow(block, { type: 'input_json_delta', partial_json: text });
  }

  /** The latest block, if it is a text that can continue. */
  #textBlock(): Block | null {
    const last = this.#line.at(-1);
    return last?.kind === 'text' && !last.isOver ? last : null;
  }

  #beginText(): Block {
    return this.#begin('text', { type: 'text', text: '' });
  }

  #begin(kind: Block['kind'], start: JsonObject): Block {
    const block: Block = { kind, start, waiting: [], text: '', looked: 0, isOver: false };
    this.#line.push(block);
    return block;
  }

  /** Adds to a block; nothing is added after its end. */
  #grow(block: Block, delta: object): string {
    if (!this.#line.includes(block)) return '';
    block.waiting.push(delta);
    return this.#advance();
  }

  /** Writes what can be written: the current block as far as it has come, then the next ones once it closes. */
  #advance(): string {
    let events = '';
    for (;;) {
      const [first, next] = this.#line;
      if (first === undefined) return events;
      if (!this.#isStarted) events += this.#event('content_block_start', { content_block: first.start });
      this.#isStarted = true;
      for (const delta of first.waiting.splice(0)) events += this.#event('content_block_delta', { delta });
      if (!first.isOver && !(next !== undefined && makesWay(first))) return events;
      events += this.#close();
    }
  }

  #close(): string {
    if (this.#line.shift() === undefined) return '';
    const event = this.#event('content_block_stop');
    this.#isStarted = false;
    this.#index += 1;
    return event;
  }

  #event(type: string, more: object = {}): string {
    return messageEvent(type, { index: this.#index, ...more });
  }
}

/** Whether a block can close when another one waits. */
function makesWay(block: Block): boolean {
  const { kind, text, looked } = block;
  if (kind === 'text') return true;
  // Long incomplete arguments must not be parsed again at every later event.
  if (text.length === looked) return false;
  block.looked = text.length;
  return kind === 'tool' && text.trimEnd().endsWith('}') && parseObjectText(text) !== null;
}
