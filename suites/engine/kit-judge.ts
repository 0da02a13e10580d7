import { type BrokenStream, judgeBrokenStream } from '../oracle/broken-stream.ts';
import { type Completion, type ExpectedCompletion, judgeCompletion } from '../oracle/completion.ts';
import { type ErrorBody, type ExpectedRefusal, judgeRefusal } from '../oracle/refusal.ts';
import { judgeStream, type StreamedCompletion } from '../oracle/stream.ts';
import type { Finding } from '../rules/violation.ts';
import type { Exchange } from '../wire/exchange.ts';
import { KitRecord } from './kit-record.ts';

/** What a kit judges answers with: each throws a Violation, or returns what it read. Notes and advice are recorded. */
export abstract class KitJudge {
  /** What is reported of this run. */
  readonly record = new KitRecord();

  /** Public ids of channels that an error may name. */
  protected abstract get channelsKnown(): readonly string[];
  /** How far the deployment's time is ahead of ours. */
  protected abstract get clockAheadMs(): number;

  refused(exchange: Exchange, expected: ExpectedRefusal): ErrorBody {
    const error = judgeRefusal(exchange, { channels: this.channelsKnown, ...expected });
    for (const finding of error.advice) this.advise(finding);
    return error;
  }

  completed(exchange: Exchange, expected: ExpectedCompletion): Completion {
    const completion = judgeCompletion(exchange, { clockAheadMs: this.clockAheadMs, ...expected });
    for (const text of completion.notes) this.note(text);
    return completion;
  }

  streamed(exchange: Exchange, expected: ExpectedCompletion): StreamedCompletion {
    const stream = judgeStream(exchange, { clockAheadMs: this.clockAheadMs, ...expected });
    for (const text of stream.notes) this.note(text);
    for (const finding of stream.advice) this.advise(finding);
    return stream;
  }

  /** A stream whose upstream failed after it had begun. */
  broken(exchange: Exchange): BrokenStream {
    const stream = judgeBrokenStream(exchange, this.channelsKnown);
    for (const text of stream.notes) this.note(text);
    return stream;
  }

  /** Records advice that is not followed: the check goes on, and ends as `warn`. */
  advise(finding: Finding): void {
    this.record.advise(finding);
  }

  /** Records an observation for the report, once. */
  note(text: string): void {
    this.record.note(text);
  }
}
