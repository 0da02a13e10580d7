import type { JournalEntry, SimulatorControl } from 'gatecheck-simulators/client';
import type { CheckClock } from '../../engine/parts/check-clock.ts';
import { marksIn } from '../../engine/parts/exchange-trace.ts';
import type { Attempt } from '../../oracle/exchange/attempt.ts';
import { type Call, callOf, isGenerating } from '../../oracle/exchange/call.ts';
import { judgeAttempts } from '../../oracle/exchange/judge-attempts.ts';
import { type Judged, judgedBy, judgeExchange } from '../../oracle/exchange/judge-exchange.ts';
import { judgeRequest } from '../../oracle/exchange/judge-requests.ts';
import { judgeAgainstUpstream } from '../../oracle/exchange/judge-upstream.ts';
import { type Linkable, linkAttempts, type MarkedAttempt } from '../../oracle/exchange/link-attempts.ts';
import { pacesOf, saysFrom } from '../../oracle/exchange/pace.ts';
import type { PacedStream } from '../../oracle/exchange/pace-book.ts';
import { TaskTraces } from '../../oracle/media/task-traces.ts';
import { isCountingCall } from '../../oracle/native/dialects.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { Redact } from '../../wire/redactor.ts';

/** Longer bodies are not held against the upstream's, bytes: they are generated for limits. */
const mostBytes = 24 * 1024;

/** Clocks of two processes differ by so much more than it takes to ask one of them, ms. */
const slackMs = 3;

/** A clock that moves by more meanwhile may have shown any time of both, ms. */
const movedMs = 1_000;

/** What a watch over one check knows. */
export interface WatchFacts {
  readonly clock: Pick<CheckClock, 'timeAt' | 'realAt'>;
  readonly channels: readonly string[];
  /** The models that may answer for others. */
  readonly standIns: readonly string[];
  readonly conceal: Redact;
}

/** A call that may be found again at the upstreams; `exchange` is null of one that only tells others apart. */
interface Noted extends Linkable {
  readonly exchange: Exchange | null;
  readonly call: Call;
}

/** What the exchanges of a check show. */
export interface Found {
  readonly judged: readonly Judged<string>[];
  readonly paced: readonly PacedStream[];
}

/** Judges every exchange of one check by all that the text says, whatever the check is about. */
export class CheckWatch {
  readonly #facts: WatchFacts;
  readonly #traces = new TaskTraces(1_000);
  readonly #judged: Judged<string>[] = [];
  readonly #paced: PacedStream[] = [];
  readonly #noted: Noted[] = [];

  constructor(facts: WatchFacts) {
    this.#facts = facts;
  }

  /** Judges an exchange by what it shows alone. */
  saw(exchange: Exchange): void {
    const { sentAt, endedAt } = exchange;
    const call = callOf(exchange);
    if (exchange.isLeft !== true) this.#judgeAlone(exchange);
    if (call === null || !isGenerating(call)) return;
    const size = exchange.request.body.length + (exchange.response?.body.length ?? 0);
    const isJudged = exchange.isLeft !== true && size <= mostBytes;
    this.#noted.push({
      ...{ exchange: isJudged ? exchange : null, call, marks: marksOf(exchange.request.body) },
      ...{ fromMs: sentAt, toMs: endedAt },
    });
  }

  #judgeAlone(exchange: Exchange): void {
    const { clock, channels, conceal, standIns } = this.#facts;
    const { sentAt, endedAt } = exchange;
    const [began, ended] = [clock.timeAt(sentAt), clock.timeAt(endedAt)];
    const isMoving = ended.max - endedAt - (began.min - sentAt) > movedMs;
    const clockAheadMs = isMoving ? null : began.min - sentAt;
    const known = { clockAheadMs, channels, conceal, standIns, anyPath: true };
    const { judged, record } = judgeExchange(exchange, known);
    this.#judged.push(...judged);
    if (record === null) return;
    const read = { record, began: sentAt, ended: endedAt };
    this.#judged.push(judgedBy('traces', true, () => this.#traces.add(record.taskId, read)));
  }

  /** All that was found, once the check is over; `simulators` tell what reached the upstreams of its tenants. */
  async conclude(
    simulators: SimulatorControl | null,
    tenants: readonly { readonly name: string }[],
    signal: AbortSignal,
  ): Promise<Found> {
    const found = { judged: this.#judged, paced: this.#paced };
    if (simulators === null || this.#noted.length === 0) return found;
    const attempts = await this.#attempts(simulators, tenants, signal);
    for (const [{ exchange, call }, own] of linkAttempts(this.#noted, attempts ?? []))
      if (exchange !== null && own !== null && attempts !== null) this.#judgeLinked(exchange, call, own);
    return found;
  }

  /** What reached the upstreams of all tenants; null where some of it is forgotten. */
  async #attempts(
    simulators: SimulatorControl,
    tenants: readonly { readonly name: string }[],
    signal: AbortSignal,
  ): Promise<MarkedAttempt[] | null> {
    const askedAt = Date.now();
    const { now_ms: now } = await simulators.clock({ signal });
    const answeredAt = Date.now();
    const { clock } = this.#facts;
    const aheadMs = now - clock.timeAt((askedAt + answeredAt) / 2).max;
    const unsureMs = answeredAt - askedAt + slackMs;
    const realAt = (ms: number): Attempt['received'] => {
      const { min, max } = clock.realAt(ms - aheadMs);
      return { min: min - unsureMs, max: max + unsureMs };
    };
    const attempts: MarkedAttempt[] = [];
    for (const { name } of tenants) {
      const query = { body_bytes: mostBytes };
      const { entries, dropped } = await simulators.tenant(name).journal(query, { signal });
      if (dropped > 0) return null;
      attempts.push(...entries.filter(isModelCall).map((entry) => attemptOf(entry, realAt)));
    }
    return attempts;
  }

  #judgeLinked(exchange: Exchange, call: Call, attempts: readonly MarkedAttempt[]): void {
    const from = saysFrom(exchange, call);
    const begunMs = from === null ? null : exchange.sentAt + from;
    this.#judged.push(judgedBy('attempts', true, () => judgeAttempts({ exchange, call, attempts, begunMs })));
    for (const attempt of attempts)
      if (attempt.isWhole)
        this.#judged.push(judgedBy('requests', true, () => judgeRequest(exchange, call, attempt)));
    const last = attempts.at(-1);
    if (last === undefined) return;
    this.#judged.push(...judgeAgainstUpstream({ exchange, call, attempt: last }));
    for (const pace of pacesOf(exchange, call, last)) this.#paced.push({ exchange, call, pace });
  }
}

/** Polls, reads of files and counts of tokens are no attempts. */
function isModelCall({ request: { method, path } }: JournalEntry): boolean {
  return method === 'POST' && !isCountingCall(path);
}

/** @param realAt our time of a time by the clock of the simulators */
function attemptOf(
  { channel, received_at_ms: at, request, reply }: JournalEntry,
  realAt: (ms: number) => Attempt['received'],
): MarkedAttempt {
  const [body, answer] = [bytesOf(request.body_base64), bytesOf(reply.body_base64)];
  let bytesSoFar = 0;
  // A program over the connection is kept with its heads.
  const isRaw = answer.toString('latin1', 0, 5) === 'HTTP/';
  return {
    ...{ channel, path: request.path, body, answer, status: reply.status, ended: reply.ended },
    isWhole: request.complete && body.length < mostBytes && answer.length < mostBytes && !isRaw,
    received: realAt(at),
    sends: reply.sends.map(({ actual_ms: atMs, bytes }) => {
      bytesSoFar += bytes;
      return { atMs, bytesSoFar };
    }),
    marks: marksOf(body),
  };
}

function bytesOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}

/** The markers of scenes, which survive the gateway. */
function marksOf(body: Buffer): string {
  const marks = marksIn(body).filter((mark) => mark.startsWith('gc'));
  return marks.sort().join(' ');
}
