import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { mediaModel } from '../../oracle/media/models.ts';
import {
  type AcceptedTask,
  type ExpectedTask,
  isTerminal,
  isVideo,
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
import {
  type ChatOptions,
  mediaRequest,
  type RequestBody,
  taskReadRequest,
  withoutIssued,
} from '../requests.ts';
import type { CheckClock } from './check-clock.ts';
import type { CheckRecord } from './check-record.ts';
import type { HttpCalls } from './http-calls.ts';
import type { TenantSender } from './tenant-sender.ts';
import type { Webhooks } from './webhooks.ts';

export interface TasksSettings {
  readonly profile: Pick<Profile, 'tasks'>;
  /** Public ids of the tenant's channels, which an error may name. */
  readonly channels: readonly string[];
  readonly signal: AbortSignal;
  readonly sender: TenantSender;
  readonly http: Pick<HttpCalls, 'fetch'>;
  readonly clock: Pick<CheckClock, 'aheadMs'>;
  readonly record: Pick<CheckRecord, 'advise' | 'issue' | 'issued'>;
  readonly webhooks: Pick<Webhooks, 'watched'>;
}

export interface FollowOptions extends ChatOptions {
  /** How long to keep reading, ms. The default is the time that the profile allows a task. */
  readonly withinMs?: number;
  /** When to stop reading. The default is a terminal status. */
  readonly until?: (record: TaskRecord) => boolean;
  /** The rule that a refused read violates. The default is the rule that tasks can be read. */
  readonly rule?: { readonly requirement: string; readonly aspect: string };
}

/** The reads of one task. The last one is the read that `follow` waited for. */
export interface Followed {
  readonly trace: TaskTrace;
  readonly last: TaskRecord;
  /** Whether the last record satisfies `until`. */
  readonly isDone: boolean;
}

/** The wait before the second read of a task, ms. It grows up to the longest wait. */
const minWaitMs = 25;
const maxWaitMs = 1_500;
const growth = 1.5;

/** One task in so many has no webhook_url unless its check gives it one. */
const silentOneIn = 8;
/** Characters at the end of a drawn webhook_url: those of different bodies differ. */
const tailLength = 12;

/** Tasks of one tenant: submits, reads and follows them, and judges their answers. */
export class Tasks {
  readonly #settings: TasksSettings;
  readonly #readers = new Map<string, string>();
  readonly #traces = new Map<string, TaskTrace>();
  /** The tasks whose records may name their results differently (reading B-69). */
  readonly #openNames = new Map<string, boolean>();
  /** The begin and end of each read, as a counter over all reads of the tenant. */
  readonly #times = new WeakMap<Exchange, { began: number; ended: number; reader: string }>();
  #tick = 0;
  #reads = 0;

  constructor(settings: TasksSettings) {
    this.#settings = settings;
  }

  /** Whether the profile declares that `duration_sec` is the length of the output (reading B-70). */
  get showsLength(): boolean {
    return this.#settings.profile.tasks.duration_sec === 'output';
  }

  /**
   * Sends within the limit: at most cap minus one calls of one user are in flight. Most bodies that have no member
   * `webhook_url`, not even an undefined one, get the URL of an inbox whose events are judged after the check.
   */
  async submit(body: RequestBody, options: ChatOptions = {}): Promise<Exchange> {
    const asked = await this.#withEvent(body);
    return this.#settings.sender.politely(options.key, () => this.openSubmit(asked, options).done);
  }

  async #withEvent(body: RequestBody): Promise<RequestBody> {
    const { webhooks, record } = this.#settings;
    if (typeof body === 'string' || Buffer.isBuffer(body) || 'webhook_url' in body) return body;
    const text = withoutIssued(JSON.stringify(body), record.issued);
    const digest = createHash('sha256').update(text).digest('hex');
    const isDrawn = Number.parseInt(digest.slice(0, 2), 16) % silentOneIn > 0;
    const inbox = isDrawn && mediaModel(String(body.model))?.endpoint === 'tasks' ? webhooks.watched() : null;
    return inbox === null
      ? body
      : { ...body, webhook_url: (await inbox).url(`/${digest.slice(-tailLength)}`) };
  }

  openSubmit(body: RequestBody, options: ChatOptions = {}): LiveExchange {
    const { sender } = this.#settings;
    return sender.open(mediaRequest('submit', body, options, sender.mainKey));
  }

  async read(taskId: string, options: ChatOptions = {}): Promise<Exchange> {
    return this.#settings.sender.politely(options.key, () => this.openRead(taskId, options).done);
  }

  openRead(taskId: string, options: ChatOptions = {}): LiveExchange {
    const { sender } = this.#settings;
    const began = this.#next();
    // The deployment draws task ids, so a draw by the request would differ in a replay.
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

  /** Judges the answer to a submission that was accepted. */
  accepted(exchange: Exchange, expected: ExpectedTask = {}): AcceptedTask {
    const { clock, record } = this.#settings;
    const accepted = judgeAccepted(exchange, { clockAheadMs: clock.aheadMs, ...expected });
    for (const finding of accepted.advice) record.advise(finding);
    this.#openNames.set(accepted.taskId, !isVideo(exchange));
    record.issue(accepted.taskId);
    return accepted;
  }

  /** Judges a 200 read alone, and as part of the trace of all reads of the task by this tenant. */
  record(exchange: Exchange, taskId: string, expected: Parameters<typeof judgeRecord>[2] = {}): TaskRecord {
    const { channels } = this.#settings;
    const openNames = this.#openNames.get(taskId) ?? false;
    const record = judgeRecord(exchange, taskId, { channels, openNames, ...expected });
    const now = this.#next();
    const times = this.#times.get(exchange) ?? { began: now, ended: now, reader: 'K1' };
    this.traceOf(taskId).add({ ...times, record });
    return record;
  }

  /** All judged reads of a task by this tenant. */
  traceOf(taskId: string): TaskTrace {
    const trace = this.#traces.get(taskId) ?? new TaskTrace();
    this.#traces.set(taskId, trace);
    return trace;
  }

  /**
   * Reads a task until it ends.
   * @throws Violation when it does not end in time (TASK-019).
   */
  async follow(taskId: string, options: FollowOptions = {}): Promise<Followed> {
    const followed = await this.watch(taskId, options);
    must(followed.isDone, {
      requirement: 'TASK-019',
      aspect: 'ends',
      expected: `what is waited for within ${this.#timeoutMs(options)} ms`,
      actual: `${followed.last.status}, after ${followed.trace.statuses.join(', ')}`,
      exchange: followed.last.exchange,
    });
    return followed;
  }

  /** Reads a task that need not end, and returns the reads within the time. */
  async watch(taskId: string, options: FollowOptions = {}): Promise<Followed> {
    const { until = ({ status }) => isTerminal(status) } = options;
    const start = performance.now();
    const trace = this.traceOf(taskId);
    for (let waitMs = this.#settings.profile.tasks.poll_ms ?? minWaitMs; ; ) {
      const last = this.record(await this.read(taskId, options), taskId, options.rule);
      const isDone = until(last);
      const leftMs = this.#timeoutMs(options) - (performance.now() - start);
      if (isDone || leftMs <= 0) return { trace, last, isDone };
      await wait(Math.min(waitMs, Math.max(1, leftMs)), undefined, { signal: this.#settings.signal });
      waitMs = Math.min(Math.max(maxWaitMs, waitMs), waitMs * growth);
    }
  }

  /** Submits a task, judges that it is accepted, and follows it to its end, which must be SUCCESS. */
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

  /** Loads the result URLs of a task that succeeded. Each must exist. */
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

  /** A name for the owner of a key, so that no message repeats the key. */
  #readerOf(key: string): string {
    const known = this.#readers.get(key);
    if (known !== undefined) return known;
    const name = key === this.#settings.sender.mainKey ? 'K1' : `another key (${this.#readers.size + 1})`;
    this.#readers.set(key, name);
    return name;
  }

  #timeoutMs({ withinMs }: FollowOptions): number {
    return withinMs ?? this.#settings.profile.tasks.states_within_ms;
  }

  #next(): number {
    this.#tick += 1;
    return this.#tick;
  }
}
