import { setTimeout as wait } from 'node:timers/promises';
import {
  type AcceptedTask,
  type ExpectedTask,
  isTerminal,
  judgeAccepted,
  judgeRecord,
  type TaskRecord,
} from '../../oracle/media/task-answer.ts';
import { TaskTrace } from '../../oracle/media/trace.ts';
import type { Profile } from '../../profile/profile.ts';
import { must } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';
import { type Fetched, summaryOf } from '../fetch-media.ts';
import { type ChatOptions, mediaRequest, type RequestBody, taskReadRequest } from '../requests.ts';
import type { CheckClock } from './check-clock.ts';
import type { CheckRecord } from './check-record.ts';
import type { HttpCalls } from './http-calls.ts';
import type { TenantSender } from './tenant-sender.ts';

export interface TasksSettings {
  readonly profile: Pick<Profile, 'tasks'>;
  /** Public ids of the lane's channels, which an error may name. */
  readonly channels: readonly string[];
  readonly signal: AbortSignal;
  readonly sender: TenantSender;
  readonly http: Pick<HttpCalls, 'fetch'>;
  readonly clock: Pick<CheckClock, 'aheadMs'>;
  readonly record: Pick<CheckRecord, 'advise' | 'issue'>;
}

export interface FollowOptions extends ChatOptions {
  /** How long to read on; what the profile gives a task when left out, ms. */
  readonly withinMs?: number;
  /** When to stop; at a terminal status when left out. */
  readonly until?: (record: TaskRecord) => boolean;
  /** The rule under which a read that is refused is reported; that tasks can be read when left out. */
  readonly rule?: { readonly requirement: string; readonly aspect: string };
}

/** Reads of one task, the last of which is the one that `follow` waited for. */
export interface Followed {
  readonly trace: TaskTrace;
  readonly last: TaskRecord;
  /** Whether the last record is what was waited for. */
  readonly isDone: boolean;
}

/** The wait before the second read of a task, ms; it grows up to the longest one. */
const minWaitMs = 25;
const maxWaitMs = 1_500;
const growth = 1.5;

/** Tasks of one lane: submitted, read and followed, and what their answers are judged by. */
export class Tasks {
  readonly #settings: TasksSettings;
  readonly #readers = new Map<string, string>();
  readonly #traces = new Map<string, TaskTrace>();
  /** When reads happened, counted over all reads of the lane. */
  readonly #times = new WeakMap<Exchange, { began: number; ended: number; reader: string }>();
  #tick = 0;
  #reads = 0;

  constructor(settings: TasksSettings) {
    this.#settings = settings;
  }

  /** Sends politely: never more than cap minus one of one user's calls in flight. */
  async submit(body: RequestBody, options: ChatOptions = {}): Promise<Exchange> {
    return this.#settings.sender.politely(options.key, () => this.openSubmit(body, options));
  }

  openSubmit(body: RequestBody, options: ChatOptions = {}): LiveExchange {
    const { sender } = this.#settings;
    return sender.open(mediaRequest('submit', body, options, sender.mainKey));
  }

  async read(taskId: string, options: ChatOptions = {}): Promise<Exchange> {
    return this.#settings.sender.politely(options.key, () => this.openRead(taskId, options));
  }

  openRead(taskId: string, options: ChatOptions = {}): LiveExchange {
    const { sender } = this.#settings;
    const began = this.#next();
    // Ids are drawn by the deployment, so that the usual draw would not be the same in a replay.
    this.#reads += 1;
    const encoding = this.#reads % 2 === 0 ? 'gzip' : 'identity';
    const request = taskReadRequest(taskId, options, sender.mainKey);
    const headers = { 'accept-encoding': encoding, ...request.headers };
    const live = sender.open({ ...request, headers });
    const reader = this.#readerOf(options.key ?? sender.mainKey);
    const done = live.done.then((exchange) => {
      this.#times.set(exchange, { began, ended: this.#next(), reader });
      return exchange;
    });
    return { ...live, done };
  }

  /** Judges the answer to a submission that was taken on. */
  accepted(exchange: Exchange, expected: ExpectedTask = {}): AcceptedTask {
    const { clock, record } = this.#settings;
    const accepted = judgeAccepted(exchange, { clockAheadMs: clock.aheadMs, ...expected });
    for (const finding of accepted.advice) record.advise(finding);
    record.issue(accepted.taskId);
    return accepted;
  }

  /** Judges a 200 read by itself and, with all other reads of the task on this lane, as a trace. */
  record(exchange: Exchange, taskId: string, expected: Parameters<typeof judgeRecord>[2] = {}): TaskRecord {
    const record = judgeRecord(exchange, taskId, { channels: this.#settings.channels, ...expected });
    const now = this.#next();
    const times = this.#times.get(exchange) ?? { began: now, ended: now, reader: 'K1' };
    this.traceOf(taskId).add({ ...times, record });
    return record;
  }

  /** All reads of a task on this lane that were judged. */
  traceOf(taskId: string): TaskTrace {
    const trace = this.#traces.get(taskId) ?? new TaskTrace();
    this.#traces.set(taskId, trace);
    return trace;
  }

  /**
   * Reads a task until it has ended.
   * @throws Violation where it does not end in time (TASK-019).
   */
  async follow(taskId: string, options: FollowOptions = {}): Promise<Followed> {
    const followed = await this.watch(taskId, options);
    must(followed.isDone, {
      requirement: 'TASK-019',
      aspect: 'ends',
      expected: `what is waited for within ${this.#patience(options)} ms`,
      actual: `${followed.last.status}, after ${followed.trace.statuses.join(', ')}`,
      exchange: followed.last.exchange,
    });
    return followed;
  }

  /** The same for a task that need not end: what is seen until then. */
  async watch(taskId: string, options: FollowOptions = {}): Promise<Followed> {
    const { until = ({ status }) => isTerminal(status) } = options;
    const start = performance.now();
    const trace = this.traceOf(taskId);
    for (let waitMs = this.#settings.profile.tasks.poll_ms ?? minWaitMs; ; ) {
      const last = this.record(await this.read(taskId, options), taskId, options.rule);
      const isDone = until(last);
      const leftMs = this.#patience(options) - (performance.now() - start);
      if (isDone || leftMs <= 0) return { trace, last, isDone };
      await wait(Math.min(waitMs, Math.max(1, leftMs)), undefined, { signal: this.#settings.signal });
      waitMs = Math.min(Math.max(maxWaitMs, waitMs), waitMs * growth);
    }
  }

  /** Submits a task, judges that it is taken on, and follows it to its end, which must be SUCCESS. */
  async make(
    body: RequestBody,
    options: FollowOptions = {},
  ): Promise<Followed & { readonly taskId: string; readonly submitted: Exchange }> {
    const submitted = await this.submit(body, options);
    const { taskId } = this.accepted(submitted);
    const followed = await this.follow(taskId, options);
    must(followed.last.status === 'SUCCESS', {
      requirement: 'STATE-005',
      aspect: 'succeeds',
      expected: 'status SUCCESS of a job that its upstream completes',
      actual: `${followed.last.status} ${followed.last.error?.code ?? ''}`,
      exchange: followed.last.exchange,
      twin: submitted,
    });
    return { ...followed, taskId, submitted };
  }

  /** What stands at the result URLs of a task that succeeded. Each must be there. */
  async results(record: TaskRecord): Promise<Fetched[]> {
    return Promise.all(
      record.resultUrls.map(async (url) => {
        const found = await this.#settings.http.fetch(url);
        must(found.status === 200 && found.sniffed.kind !== 'none', {
          requirement: 'TASK-018',
          aspect: 'results-fetchable',
          expected: 'HTTP 200 with media at each of result_urls',
          actual: summaryOf(found),
          exchange: record.exchange,
          twin: found.exchange,
        });
        return found;
      }),
    );
  }

  /** A name for whoever reads with a key, so that no sentence repeats the key. */
  #readerOf(key: string): string {
    const known = this.#readers.get(key);
    if (known !== undefined) return known;
    const name = key === this.#settings.sender.mainKey ? 'K1' : `another key (${this.#readers.size + 1})`;
    this.#readers.set(key, name);
    return name;
  }

  #patience({ withinMs }: FollowOptions): number {
    return withinMs ?? this.#settings.profile.tasks.states_within_ms;
  }

  #next(): number {
    this.#tick += 1;
    return this.#tick;
  }
}
