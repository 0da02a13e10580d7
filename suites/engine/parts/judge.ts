import { type BrokenStream, judgeBrokenStream } from '../../oracle/broken-stream.ts';
import { type Completion, type ExpectedCompletion, judgeCompletion } from '../../oracle/completion.ts';
import { judgeKnownRefusal, type KnownRefusal } from '../../oracle/known-refusal.ts';
import { needServed } from '../../oracle/need-served.ts';
import { type ErrorBody, type ExpectedRefusal, judgeRefusal } from '../../oracle/refusal.ts';
import { judgeStream, type StreamedCompletion } from '../../oracle/stream.ts';
import type { Finding } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { CheckClock } from './check-clock.ts';
import type { CheckRecord } from './check-record.ts';

/** Judges answers of chat models. Each method records advice, and throws a Violation or returns what it read. */
export class Judge {
  readonly #record: Pick<CheckRecord, 'note' | 'advise'>;
  /** Public channel ids that an error may name. */
  readonly #channels: readonly string[];
  readonly #clock: Pick<CheckClock, 'aheadMs'>;

  constructor(
    record: Pick<CheckRecord, 'note' | 'advise'>,
    channels: readonly string[],
    clock: Pick<CheckClock, 'aheadMs'>,
  ) {
    this.#record = record;
    this.#channels = channels;
    this.#clock = clock;
  }

  refused(exchange: Exchange, expected: ExpectedRefusal): ErrorBody {
    const error = judgeRefusal(exchange, { channels: this.#channels, ...expected });
    for (const finding of error.advice) this.advise(finding);
    return error;
  }

  /** Judges a refusal that the check provokes but does not test. */
  known(exchange: Exchange, expected: KnownRefusal): ErrorBody {
    const error = judgeKnownRefusal(exchange, { channels: this.#channels, ...expected });
    for (const finding of error.advice) this.advise(finding);
    return error;
  }

  completed(exchange: Exchange, expected: ExpectedCompletion): Completion {
    needServed(exchange, expected.aspect);
    const completion = judgeCompletion(exchange, { clockAheadMs: this.#clock.aheadMs, ...expected });
    for (const text of completion.notes) this.note(text);
    return completion;
  }

  streamed(exchange: Exchange, expected: ExpectedCompletion): StreamedCompletion {
    needServed(exchange, expected.aspect);
    const stream = judgeStream(exchange, { clockAheadMs: this.#clock.aheadMs, ...expected });
    for (const text of stream.notes) this.note(text);
    for (const finding of stream.advice) this.advise(finding);
    return stream;
  }

  /** Judges a stream whose upstream failed after the stream had begun. */
  broken(exchange: Exchange): BrokenStream {
    const stream = judgeBrokenStream(exchange, this.#channels);
    for (const text of stream.notes) this.note(text);
    return stream;
  }

  /** Records that advice was not followed. The check goes on, and ends as `warn`. */
  advise(finding: Finding): void {
    this.#record.advise(finding);
  }

  /** Records an observation for the report, once. */
  note(text: string): void {
    this.#record.note(text);
  }
}
