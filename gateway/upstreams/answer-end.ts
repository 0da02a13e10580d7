import { type EndWord, endWordIn } from './end-words.ts';
import { failure, type StreamEnd, type StreamPiece, type UpstreamFailure, type Usage } from './outcome.ts';

/**
 * Decides where an answer ends, in any dialect. Some upstreams send the finish reason before the text, or with every piece of
 * it, so a finish reason alone is not trusted:
 * - It ends the answer if earlier content came without one. Later content is held back, and belongs to the answer only if
 * another finish reason follows.
 * - Otherwise content continues, and the last finish reason counts when the stream ends.
 */
export class AnswerEnd {
  #word: EndWord | null = null;
  #inner: EndWord | null = null;
  #isCredible = false;
  /** Content has arrived in an event without a finish reason. */
  #hasOpenContent = false;
  #hasNews = true;
  readonly #late: StreamPiece[] = [];
  #hasText = false;
  #calls = 0;
  #hasContent = false;
  #isRefused = false;
  #hasHidden = false;
  #hasNative = false;
  #hasVanished = false;

  /** Bytes of text that the upstream produced and shows to nobody, such as reasoning. */
  hiddenBytes = 0;

  /** Takes what is part of no answer: text, or values around text. */
  hides(content: unknown): void {
    if (!content) return;
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    if (blanks.includes(text)) return;
    this.#hasHidden = true;
    this.hiddenBytes += Buffer.byteLength(text);
  }

  /** The upstream produced something that is no text, and that this caller cannot see. */
  sawHidden(): void {
    this.#hasHidden = true;
  }

  /** The end has come: a connection that breaks from now on loses nothing. */
  get isCredible(): boolean {
    return this.#isCredible;
  }

  /** The upstream's finish reason that counts so far. */
  get native(): string | null {
    return this.#word?.native ?? null;
  }

  /** Text or calls have arrived, so that a later end mark can end the answer. */
  get hasSaid(): boolean {
    return this.#hasText || this.#calls > 0;
  }

  /** Content has arrived, even if empty: the answer is not missing. */
  sawContent(): void {
    this.#hasContent = true;
  }

  /** The upstream refuses by policy. */
  refused(): void {
    this.#isRefused = true;
  }

  /** What a provider behind the upstream calls the end. It counts where nothing was said that the upstream's word could end. */
  reconsiders(native: unknown): void {
    this.#inner = endWordIn(native) ?? this.#inner;
  }

  /** The upstream counted an answer and sent none. */
  vanished(): void {
    this.#hasVanished = true;
  }

  /** Content has begun that is held back: with the next finish reason it is complete. */
  opens(native: unknown): void {
    this.#hasOpenContent ||= endWordIn(native) === null;
  }

  /** Takes the content of one event and its finish reason, and adds what may be sent to `pieces`. */
  take(said: readonly StreamPiece[], native: unknown, pieces: StreamPiece[]): UpstreamFailure | null {
    const word = endWordIn(native);
    const hasSaid = said.some(({ kind }) => kind !== 'native');
    this.#hasNews ||= hasSaid;
    if (this.#isCredible) this.#late.push(...said);
    else this.#say(said, pieces);
    if (word === null) {
      this.#hasOpenContent ||= hasSaid;
      return null;
    }
    this.#say(this.#late.splice(0), pieces);
    // Of several finish reasons without content between them, the first one counts.
    if (this.#hasNews) this.#word = word;
    this.#hasNews = false;
    this.#isCredible ||= this.#hasOpenContent;
    const { meaning } = this.#word ?? word;
    return meaning === 'failed' || meaning === 'garbled' ? gaveUp[meaning] : null;
  }

  /** The end of the answer, when nothing more comes. */
  ended(usage: Usage | null): StreamEnd | UpstreamFailure {
    if (this.#word === null && this.#hasVanished && !this.hasSaid) return gaveUp.garbled;
    if (this.#word === null) return failure('unusable', 'the answer ended without a word for it');
    const { meaning, native, isKnown } = this.#unsaid() ?? this.#word;
    if (meaning === 'failed' || meaning === 'garbled') return gaveUp[meaning];
    if (!this.hasSaid) {
      if (meaning === 'content_filter' || this.#isRefused)
        return failure('policy', 'the whole answer was blocked');
      // The model thought or drew, and said nothing: a retry may help, and an empty answer would lose it unnoticed.
      const hasThought = this.#hasHidden || (usage?.reasoningTokens ?? 0) > 0;
      const isUnsaid = hasThought && !this.#hasNative;
      // Without any content, only an exhausted token budget explains the missing text. A prompt can ask for nothing, so a
      // regular end of nothing does not count against the channel.
      const isMissing = !this.#hasContent || meaning === 'tool_calls';
      if ((isUnsaid || isMissing) && meaning !== 'length') return gaveUp.garbled;
    }
    // An answer ends in tool calls exactly if it has some, whatever regular end the upstream states.
    const isRegular = meaning === 'stop' || meaning === 'tool_calls';
    const finish = isRegular ? (this.#calls > 0 ? 'tool_calls' : 'stop') : meaning;
    return { kind: 'end', finish, usage, ...(!isKnown && { unknownEnding: native }) };
  }

  /** The end that the provider behind the upstream names, where the upstream calls an answer of nothing a regular one. */
  #unsaid(): EndWord | null {
    const isRegular = this.#word?.meaning === 'stop' || this.#word?.meaning === 'tool_calls';
    return isRegular && !this.hasSaid && this.#inner?.isKnown === true ? this.#inner : null;
  }

  #say(said: readonly StreamPiece[], pieces: StreamPiece[]): void {
    for (const piece of said) {
      if (piece.kind === 'native') this.#hasNative = true;
      if (piece.kind === 'text') this.#hasText = true;
      if (piece.kind === 'tool_start') this.#calls += 1;
      pieces.push(piece);
    }
  }
}

/** Values without any content. */
const blanks = ['[]', '{}'];

const gaveUp = {
  failed: failure('server', 'gave up in the middle'),
  garbled: failure('garbled', 'answered what cannot be read'),
} as const;
