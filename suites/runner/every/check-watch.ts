import type { JournalEntry, SimulatorControl } from 'gatecheck-simulators/client';
import { marksIn } from '../../engine/parts/exchange-trace.ts';
import { type Call, isGenerating } from '../../oracle/exchange/call.ts';
import { judgeAttempts } from '../../oracle/exchange/judge-attempts.ts';
import { type Judged, judgedBy, judgeExchange } from '../../oracle/exchange/judge-exchange.ts';
import { judgeRequest } from '../../oracle/exchange/judge-requests.ts';
import { judgeAgainstUpstream } from '../../oracle/exchange/judge-upstream.ts';
import type { MarkedAttempt } from '../../oracle/exchange/link-attempts.ts';
import { linkAttempts } from '../../oracle/exchange/link-attempts.ts';
import { TaskTraces } from '../../oracle/media/task-traces.ts';
import { isCountingCall } from '../../oracle/native/dialects.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { Redact } from '../../wire/redactor.ts';

/** Longer bodies are not held against the upstream's, bytes: they are generated for limits. */
const mostBytes = 24 * 1024;

/** Times of two processes may be told apart by so much less, ms. */
const slackMs = 25;

/** What a watch over one check knows. */
export interface WatchFacts {
  readonly clock: { timeAt(realMs: number): { readonly min: number; readonly max: number } };
  readonly channels: readonly string[];
  readonly conceal: Redact;
}

/** A call that may be found again at the upstreams. */
interface Noted {
  readonly exchange: Exchange;
  readonly call: Call;
  readonly marks: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Judges every exchange of one check by all that the text says, whatever the check is about. */
export class CheckWatch {
  readonly #facts: WatchFacts;
  readonly #traces = new TaskTraces(1_000);
  readonly #judged: Judged<string>[] = [];
  readonly #noted: Noted[] = [];

  constructor(facts: WatchFacts) {
    this.#facts = facts;
  }

  /** Judges an exchange by what it shows alone. */
  saw(exchange: Exchange): void {
    if (exchange.isLeft === true) return;
    const { clock, channels, conceal } = this.#facts;
    const { sentAt, endedAt } = exchange;
    const [began, ended] = [clock.timeAt(sentAt), clock.timeAt(endedAt)];
    // A clock that moved meanwhile may have shown any time of both.
    const aheadMs = ended.max - endedAt - (began.min - sentAt) > 1_000 ? null : began.min - sentAt;
    const shown = judgeExchange(exchange, { clockAheadMs: aheadMs, channels, conceal, anyPath: true });
    this.#judged.push(...shown.judged);
    const { record, call } = shown;
    if (record !== null)
      this.#judged.push(
        judgedBy('traces', true, () =>
          this.#traces.add(record.taskId, { record, began: sentAt, ended: endedAt }),
        ),
      );
    const size = exchange.request.body.length + (exchange.response?.body.length ?? 0);
    if (call === null || !isGenerating(call) || size > mostBytes) return;
    const marks = marksIn(exchange.request.body)
      .filter((mark) => mark.startsWith('gc'))
      .sort()
      .join(' ');
    this.#noted.push({ exchange, call, marks, fromMs: began.min - slackMs, toMs: ended.max + slackMs });
  }

  /** All that was found, once the check is over; `simulators` tell what reached the upstreams of its tenants. */
  async conclude(
    simulators: SimulatorControl | null,
    tenants: readonly { readonly name: string }[],
    signal: AbortSignal,
  ): Promise<readonly Judged<string>[]> {
    if (simulators === null || this.#noted.length === 0) return this.#judged;
    const attempts = await this.#attempts(simulators, tenants, signal);
    for (const [{ exchange, call }, own] of linkAttempts(this.#noted, attempts ?? []))
      if (own !== null && attempts !== null) this.#judgeLinked(exchange, call, own);
    return this.#judged;
  }

  /** What reached the upstreams of all tenants; null where some of it is forgotten. */
  async #attempts(
    simulators: SimulatorControl,
    tenants: readonly { readonly name: string }[],
    signal: AbortSignal,
  ): Promise<MarkedAttempt[] | null> {
    const askedAt = Date.now();
    const { now_ms: now } = await simulators.clock({ signal });
    const aheadMs = now - this.#facts.clock.timeAt((askedAt + Date.now()) / 2).max;
    const attempts: MarkedAttempt[] = [];
    for (const { name } of tenants) {
      const query = { body_bytes: mostBytes };
      const { entries, dropped } = await simulators.tenant(name).journal(query, { signal });
      if (dropped > 0) return null;
      attempts.push(...entries.filter(isModelCall).map((entry) => attemptOf(entry, aheadMs)));
    }
    return attempts;
  }

  #judgeLinked(exchange: Exchange, call: Call, attempts: readonly MarkedAttempt[]): void {
    const { response, sentAt } = exchange;
    const begunAt = response?.pieces?.[0];
    const begunMs = begunAt === undefined ? null : this.#facts.clock.timeAt(sentAt + begunAt).max + slackMs;
    this.#judged.push(judgedBy('attempts', true, () => judgeAttempts({ exchange, call, attempts, begunMs })));
    for (const attempt of attempts)
      if (attempt.isWhole)
        this.#judged.push(judgedBy('requests', true, () => judgeRequest(exchange, call, attempt)));
    const last = attempts.at(-1);
    if (last !== undefined) this.#judged.push(...judgeAgainstUpstream({ exchange, call, attempt: last }));
  }
}

/** Polls, reads of files and counts of tokens are no attempts. */
function isModelCall({ request: { method, path } }: JournalEntry): boolean {
  return method === 'POST' && !isCountingCall(path);
}

/** @param aheadMs how far the clock of the simulators is ahead of the deployment's */
function attemptOf(
  { channel, received_at_ms: at, request, reply }: JournalEntry,
  aheadMs: number,
): MarkedAttempt {
  const [body, answer] = [request, reply].map(({ body_base64: text }) => Buffer.from(text, 'base64')) as [
    Buffer,
    Buffer,
  ];
  let bytesSoFar = 0;
  // A program over the connection is kept with its heads.
  const isRaw = answer.toString('latin1', 0, 5) === 'HTTP/';
  return {
    ...{ channel, path: request.path, body, answer, status: reply.status, ended: reply.ended },
    isWhole: request.complete && body.length < mostBytes && answer.length < mostBytes && !isRaw,
    receivedMs: at - aheadMs,
    sends: reply.sends.map(({ actual_ms: sentAt, bytes }) => {
      bytesSoFar += bytes;
      return { atMs: sentAt - aheadMs, bytesSoFar };
    }),
    marks: marksIn(body)
      .filter((mark) => mark.startsWith('gc'))
      .sort()
      .join(' '),
  };
}
