import type { JournalEntry, SimulatorControl } from 'gatecheck-simulators/client';
import type { CheckClock } from '../../engine/parts/check-clock.ts';
import { marksIn } from '../../engine/parts/exchange-trace.ts';
import type { Tenant } from '../../engine/parts/tenant.ts';
import type { TestKey } from '../../engine/test-accounts.ts';
import { AnswerIds } from '../../oracle/exchange/answer-ids.ts';
import { type Attempt, credentialIn } from '../../oracle/exchange/attempt.ts';
import { type Call, callOf, isGenerating } from '../../oracle/exchange/call.ts';
import { type ChannelIds, judgeAttempts } from '../../oracle/exchange/judge-attempts.ts';
import { type Judged, judgedBy, judgeExchange } from '../../oracle/exchange/judge-exchange.ts';
import { judgeRequest } from '../../oracle/exchange/judge-requests.ts';
import { judgeServer } from '../../oracle/exchange/judge-server.ts';
import { judgeAgainstUpstream } from '../../oracle/exchange/judge-upstream.ts';
import { type Linkable, linkAttempts, type MarkedAttempt } from '../../oracle/exchange/link-attempts.ts';
import { jobsOf, linkSteps, parentOf } from '../../oracle/exchange/link-steps.ts';
import { pacesOf, saysFrom } from '../../oracle/exchange/pace.ts';
import type { PacedStream } from '../../oracle/exchange/pace-book.ts';
import { judgeSameSubmitTime } from '../../oracle/media/same-submit-time.ts';
import { taskIdIn } from '../../oracle/media/task-answer.ts';
import { TaskTraces } from '../../oracle/media/task-traces.ts';
import { isCountingCall } from '../../oracle/native/dialects.ts';
import type { Profile } from '../../profile/profile.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';
import type { Redact } from '../../wire/redactor.ts';
import { AccountWatch } from './account-watch.ts';
import type { MayAsk } from './call-kind.ts';
import { EventWatch } from './event-watch.ts';
import { judgeKeysInside } from './keys-inside.ts';

/** The longest bodies that are compared with the upstream's, bytes. Longer ones are generated for limits. */
const mostBytes = 24 * 1024;

/** The difference between two processes' clocks, beyond the time that a read takes, ms. */
const slackMs = 3;

/** If the clock moves by more than this during an exchange, it may have shown any time in between, ms. */
const movedMs = 1_000;

/** How far apart the clocks of two processes may be just after both were moved, ms. */
const movedSlackMs = 300;

type WatchedTenant = Pick<Tenant, 'name' | 'channels' | 'keys'> & {
  readonly webhooks: Pick<Tenant['webhooks'], 'watchedSoFar' | 'secret'>;
};

/** The context of a watch over one check. */
export interface WatchFacts {
  readonly profile: Profile;
  readonly clock: Pick<CheckClock, 'timeAt' | 'realAt'>;
  readonly tenants: readonly WatchedTenant[];
  /** The simulators, whose journal shows what reached the upstreams; null without them. */
  readonly simulators: SimulatorControl | null;
  readonly conceal: Redact;
  readonly signal: AbortSignal;
  readonly mayAsk: MayAsk;
  /** The key with this secret if it is of an account that the check has made. */
  readonly madeKey: (secret: string) => TestKey | undefined;
}

/**
 * A call that may be matched to upstream attempts. A call that is too long, or was abandoned, only rules out matches for
 * others.
 */
interface Noted extends Linkable {
  readonly exchange: Exchange;
  readonly call: Call;
  readonly isJudged: boolean;
}

/** The findings in the exchanges of a check. */
export interface Found {
  readonly judged: readonly Judged<string>[];
  readonly paced: readonly PacedStream[];
}

/** Judges every exchange of one check by all rules of the specification, whatever the check is about. */
export class CheckWatch {
  readonly #facts: WatchFacts;
  readonly #accounts: readonly AccountWatch[];
  readonly #events: readonly EventWatch[];
  readonly #channels: readonly string[];
  readonly #channelIds: ChannelIds;
  readonly #standIns: readonly string[];
  readonly #traces = new TaskTraces(1_000);
  readonly #ids = new AnswerIds();
  readonly #judged: Judged<string>[] = [];
  readonly #paced: PacedStream[] = [];
  readonly #noted: Noted[] = [];

  constructor(facts: WatchFacts) {
    this.#facts = facts;
    const { profile, tenants, signal } = facts;
    this.#accounts = AccountWatch.isPossible(profile)
      ? tenants.map(
          ({ keys }, place) =>
            new AccountWatch(profile, keys, signal, {
              madeKey: (key) => (place === 0 ? facts.madeKey(key) : undefined),
              monthAt: (realMs) => monthIn(facts.clock.timeAt(realMs)),
            }),
        )
      : [];
    this.#events = tenants.map((tenant) => new EventWatch(profile, tenant, signal));
    const named = tenants.flatMap(({ channels }) => Object.entries(channels));
    this.#channels = named.map(([, id]) => id);
    this.#channelIds = new Map(
      [...Map.groupBy(named, ([name]) => name)].map(([name, all]) => [name, all.map(([, id]) => id)]),
    );
    this.#standIns = (profile.upstream?.routes ?? []).flatMap(({ fallback }) => fallback ?? []);
  }

  /** Reads the accounts before the check. */
  async begin(): Promise<void> {
    await Promise.all(this.#accounts.map((account) => account.begin()));
  }

  /** Judges an exchange by itself. */
  saw(exchange: Exchange): void {
    const { sentAt: fromMs, endedAt } = exchange;
    const call = callOf(exchange);
    if (exchange.isLeft !== true) this.#judgeAlone(exchange, call);
    if (call === null || !isGenerating(call)) return;
    const marks = marksOf(exchange.request.body);
    const size = exchange.request.body.length + (exchange.response?.body.length ?? 0);
    const toMs = call.protocol === 'submit' ? Number.POSITIVE_INFINITY : endedAt;
    const times = { marks, fromMs, toMs };
    this.#noted.push(
      size > mostBytes
        ? { ...times, exchange: slim(exchange), call: { ...call, request: null }, isJudged: false }
        : { ...times, exchange, call, isJudged: exchange.isLeft !== true },
    );
  }

  #judgeAlone(exchange: Exchange, call: Call | null): void {
    const { clock, conceal } = this.#facts;
    const [channels, standIns] = [this.#channels, this.#standIns];
    const { sentAt, endedAt } = exchange;
    const clockAheadMs = this.#isClockMoved(exchange) ? null : clock.timeAt(sentAt).min - sentAt;
    const known = { clockAheadMs, channels, conceal, standIns, anyPath: true };
    const { judged, record } = judgeExchange(exchange, known, call);
    this.#judged.push(...judged);
    if (call !== null) this.#judged.push(...this.#ids.add(exchange, call));
    if (record === null) return;
    const read = { record, began: sentAt, ended: endedAt };
    this.#judged.push(judgedBy('traces', true, () => this.#traces.add(record.taskId, read)));
  }

  /** Returns all findings, once the check is over. */
  async conclude(): Promise<Found> {
    const { mayAsk, simulators } = this.#facts;
    const found = { judged: this.#judged, paced: this.#paced };
    if (this.#noted.length === 0) return found;
    const attempts = simulators === null ? null : await this.#attempts(simulators);
    const linked = attempts === null ? null : linkAttempts(this.#noted, attempts);
    if (linked !== null && attempts !== null) linkSteps(linked, attempts);
    const jobs = jobsOf(linked ?? []);
    const seen = new Set([...(linked ?? [])].flatMap(([{ call }, own]) => (own?.length ? [call.model] : [])));
    for (const [{ exchange, call, isJudged }, own] of linked ?? []) {
      const known = { isSeen: seen.has(call.model), parentJob: jobs.get(parentOf(call) ?? '') ?? null };
      if (isJudged && own !== null) this.#judgeLinked(exchange, call, own, known);
    }
    const calls = this.#noted.map((one) => {
      const taskId = one.call.protocol === 'submit' ? taskIdIn(one.exchange) : null;
      const end = taskId === null ? null : this.#traces.endOf(taskId);
      if (taskId !== null) this.#judgeReads(one.exchange, taskId);
      return { ...one, attempts: linked?.get(one) ?? null, taskId, end };
    });
    // An account that cannot be read hides nothing of what the exchanges themselves show.
    const paid = this.#accounts.map(async (account) => [
      ...(await account.conclude(calls, mayAsk).catch(() => [])),
      ...(await account.singles(calls, mayAsk).catch(() => [])),
    ]);
    const tasks = calls.flatMap(({ exchange: submitted, call: { model }, end, taskId: id }) =>
      id === null ? [] : [{ id, model, submitted, end, reads: this.#traces.readsOf(id) }],
    );
    const reported = this.#events.map((events) => events.conclude(tasks).catch(() => []));
    for (const judged of await Promise.all([...paid, ...reported])) this.#judged.push(...judged);
    return found;
  }

  #judgeReads(submitted: Exchange, taskId: string): void {
    const records = this.#traces.readsOf(taskId).map(({ record }) => record);
    if (records.length === 0) return;
    this.#judged.push(judgedBy('traces', true, () => judgeSameSubmitTime(submitted, records)));
  }

  /** The attempts that reached the upstreams of all tenants; null when the journal has dropped some. */
  async #attempts(simulators: SimulatorControl): Promise<MarkedAttempt[] | null> {
    const { tenants, signal } = this.#facts;
    const journals = await Promise.all(
      tenants.map(({ name }) => simulators.tenant(name).journal({ body_bytes: mostBytes }, { signal })),
    );
    if (journals.some(({ dropped }) => dropped > 0)) return null;
    const askedAt = Date.now();
    const { now_ms: now } = await simulators.clock({ signal });
    const answeredAt = Date.now();
    // Without waiting from here on: other checks read the shared clock anew, and so change what it shows by some ms.
    const { clock } = this.#facts;
    const aheadMs = now - clock.timeAt((askedAt + answeredAt) / 2).max;
    const begunAt = this.#noted[0]?.exchange.sentAt ?? askedAt;
    const isMoved = this.#isClockMoved({ sentAt: begunAt, endedAt: answeredAt });
    const unsureMs = answeredAt - askedAt + slackMs + (isMoved ? movedSlackMs : 0);
    const realAt = (ms: number): Attempt['received'] => {
      const { min, max } = clock.realAt(ms - aheadMs);
      return { min: min - unsureMs, max: max + unsureMs };
    };
    const keys = tenants.flatMap((tenant) => Object.values(tenant.keys).filter((key) => key !== undefined));
    const all = journals.flatMap(({ entries }) => entries);
    this.#judged.push(judgedBy('attempts', true, () => judgeKeysInside(all, keys)));
    return all.filter(isModelCall).map((entry) => attemptOf(entry, realAt));
  }

  #judgeLinked(
    exchange: Exchange,
    call: Call,
    attempts: readonly MarkedAttempt[],
    { isSeen, parentJob }: { readonly isSeen: boolean; readonly parentJob: string | null },
  ): void {
    const from = saysFrom(exchange, call);
    const begunMs = from === null ? null : exchange.sentAt + from;
    this.#judged.push(
      judgedBy('attempts', true, () =>
        judgeAttempts({ exchange, call, attempts, isSeen, begunMs, channelIds: this.#channelIds }),
      ),
    );
    for (const attempt of attempts)
      if (attempt.isWhole)
        this.#judged.push(judgedBy('requests', true, () => judgeRequest(exchange, call, attempt, parentJob)));
    const last = attempts.at(-1);
    if (last === undefined) return;
    this.#judged.push(...judgeAgainstUpstream({ exchange, call, attempt: last }));
    const routes = this.#facts.profile.upstream?.routes ?? [];
    if (isSuccess(exchange) && last.status === 200)
      this.#judged.push(judgedBy('said', true, () => judgeServer(exchange, call, last, routes)));
    // Upstreams report times of a clock that checks move.
    if (this.#isClockMoved(exchange)) return;
    for (const pace of pacesOf(exchange, call, last)) this.#paced.push({ exchange, call, pace });
  }

  #isClockMoved({ sentAt, endedAt }: Pick<Exchange, 'sentAt' | 'endedAt'>): boolean {
    const { clock } = this.#facts;
    return clock.timeAt(endedAt).max - endedAt - (clock.timeAt(sentAt).min - sentAt) > movedMs;
  }
}

/** The UTC month of a range of times; null where it has two. */
function monthIn({ min, max }: ReturnType<CheckClock['timeAt']>): string | null {
  const [first, last] = [min, max].map((ms) => new Date(ms).toISOString().slice(0, 'YYYY-MM'.length));
  return first !== undefined && first === last ? first : null;
}

/** An exchange without its long parts. */
function slim(exchange: Exchange): Exchange {
  const { request, response } = exchange;
  const head = Buffer.from(response?.body.subarray(0, mostBytes / 8) ?? []);
  return {
    ...exchange,
    request: { ...request, body: Buffer.alloc(0) },
    response: response === null ? null : { ...response, body: head, arrivals: [] },
  };
}

/** Whether an entry is an attempt; polls, reads of files and token counts are not. */
function isModelCall({ request: { method, path } }: JournalEntry): boolean {
  return method === 'POST' && !isCountingCall(path);
}

/** @param realAt converts a time of the simulators' clock to ours */
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
    credential: credentialIn(request.headers, request.path),
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

/** The scene markers, which survive the gateway. */
function marksOf(body: Buffer): string {
  const marks = marksIn(body).filter((mark) => mark.startsWith('gc'));
  return marks.sort().join(' ');
}
