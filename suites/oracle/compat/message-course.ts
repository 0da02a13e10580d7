import { must } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { type Json, objectOf, readArguments } from '../native/json.ts';
import { answerRule } from './messages-answer.ts';
import type { MessageEvent } from './messages-events.ts';

/** The kinds of delta that each kind of block allows; unlisted kinds of blocks allow any. */
const deltasOf: Readonly<Record<string, readonly string[]>> = {
  text: ['text_delta', 'citations_delta'],
  tool_use: ['input_json_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
};

/** The state of a native stream. It follows the events one by one and rejects the first one out of order. */
export class MessageCourse {
  readonly #exchange: Exchange;
  #message: Json | null = null;
  #blocks: Record<string, unknown>[] = [];
  #json = '';
  #open = false;
  #ending: Json | null = null;
  #stopped = false;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  get stopped(): boolean {
    return this.#stopped;
  }
  /** Whether a stop reason has arrived, after which the answer looks finished. */
  get concluded(): boolean {
    return this.#ending !== null;
  }
  /** The message as message_start has it; null before. */
  get started(): Json | null {
    return this.#message;
  }
  get begun(): boolean {
    return this.#message !== null;
  }
  get text(): string {
    return this.#blocks.map(({ type, text }) => (type === 'text' ? String(text) : '')).join('');
  }

  /** The message as a non-streamed answer would contain it. */
  get message(): Json {
    const usage = { ...objectOf(this.#message?.usage), ...present(objectOf(this.#ending?.usage)) };
    return { ...this.#message, ...objectOf(this.#ending?.delta), content: this.#blocks, usage };
  }

  take({ type, data }: MessageEvent): void {
    if (type === 'ping') return;
    this.#must(!this.#stopped, 'nothing after message_stop', type);
    this.#must((type === 'message_start') !== this.begun, 'one message_start as the first event', type);
    switch (type) {
      case 'message_start':
        this.#start(objectOf(data.message));
        return;
      case 'content_block_start':
        this.#begin(data);
        return;
      case 'content_block_delta':
        this.#grow(data);
        return;
      case 'content_block_stop':
        this.#must(this.#open && data.index === this.#blocks.length - 1, 'the open block to be closed', data);
        this.#close();
        return;
      case 'message_delta':
        this.#must(!this.#open && !this.concluded, 'one message_delta after every block is closed', data);
        this.#must(
          typeof objectOf(data.delta).stop_reason === 'string',
          'a stop_reason in message_delta',
          data,
        );
        this.#must(
          typeof objectOf(data.usage).output_tokens === 'number',
          'output_tokens in message_delta',
          data,
        );
        this.#ending = data;
        return;
      case 'message_stop':
        this.#must(this.concluded, 'message_stop after message_delta', type);
        this.#stopped = true;
        return;
      default:
        this.#must(false, 'an event of the messages protocol', type);
    }
  }

  #start(message: Json): void {
    const { content, stop_reason: reason } = message;
    const fits = Array.isArray(content) && content.length === 0 && (reason ?? null) === null;
    this.#must(fits, 'a message_start with a message without content and without an end', message);
    this.#message = message;
  }

  #begin({ index, content_block: given }: Json): void {
    const block = objectOf(given);
    const isNext = !this.#open && !this.concluded && index === this.#blocks.length;
    this.#must(isNext, `a block with index ${this.#blocks.length}, when none is open`, {
      index,
      open: this.#open,
    });
    const { type } = block;
    const empty =
      type === 'text'
        ? block.text === ''
        : type !== 'tool_use' || Object.keys(objectOf(block.input)).length === 0;
    this.#must(typeof type === 'string' && empty, 'a block that begins empty, with a type', block);
    this.#blocks.push({ ...block });
    this.#open = true;
    this.#json = '';
  }

  #grow({ index, delta: given }: Json): void {
    const block = this.#blocks.at(-1);
    const delta = objectOf(given);
    const belongs = this.#open && block !== undefined && index === this.#blocks.length - 1;
    this.#must(belongs, 'a delta of the open block', { index, delta });
    if (block === undefined) return;
    const kinds = deltasOf[String(block.type)] ?? [String(delta.type)];
    this.#must(kinds.includes(String(delta.type)), `a delta among ${kinds.join(', ')}`, delta);
    const [name, value] = grownMember(delta);
    if (name === null) this.#json += String(value);
    else if (name === 'citations') block.citations = [...((block.citations ?? []) as unknown[]), value];
    else block[name] = `${String(block[name] ?? '')}${String(value)}`;
  }

  #close(): void {
    const block = this.#blocks.at(-1);
    if (block !== undefined && (block.type === 'tool_use' || this.#json !== '')) {
      const input = readArguments(this.#json);
      const isObject = input !== null && typeof input === 'object' && !Array.isArray(input);
      this.#must(
        isObject && !('unreadable' in input),
        'pieces of input that are one JSON object',
        this.#json,
      );
      block.input = input;
    }
    this.#open = false;
  }

  #must(holds: boolean, expected: string, actual: unknown): void {
    must(holds, {
      requirement: answerRule,
      aspect: 'event-order',
      expected,
      actual: `${typeof actual === 'string' ? actual : JSON.stringify(actual)}`.slice(0, 240),
      exchange: this.#exchange,
    });
  }
}

/** The block member that a delta extends, with the addition; the name is null for input JSON. */
function grownMember(delta: Json): [name: string | null, value: unknown] {
  switch (delta.type) {
    case 'text_delta':
      return ['text', delta.text];
    case 'thinking_delta':
      return ['thinking', delta.thinking];
    case 'signature_delta':
      return ['signature', delta.signature];
    case 'citations_delta':
      return ['citations', delta.citation];
    case 'input_json_delta':
      return [null, delta.partial_json];
    default:
      return ['more', ''];
  }
}

function present(members: Json): Json {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}
