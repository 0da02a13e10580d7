import { setTimeout as wait } from 'node:timers/promises';
import { legalMediaBody } from '../generators/legal-media-body.ts';
import {
  type AnsweredPicture,
  bytesOfBase64,
  type ExpectedImages,
  type ImagesAnswer,
  judgeImages,
} from '../oracle/media/images-answer.ts';
import { type MediaModel, mediaModel } from '../oracle/media/models.ts';
import {
  type AcceptedTask,
  type ExpectedTask,
  isTerminal,
  judgeAccepted,
  judgeRecord,
  type TaskRecord,
} from '../oracle/media/task-answer.ts';
import { TaskTrace } from '../oracle/media/trace.ts';
import type { Profile } from '../profile/profile.ts';
import { type Finding, must, Untestable, Violation } from '../rules/violation.ts';
import type { WireRequest } from '../wire/client.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { LiveExchange } from '../wire/live-exchange.ts';
import { sniff } from '../wire/media.ts';
import { type Fetched, fetchMedia, summaryOf } from './fetch-media.ts';
import type { Gate } from './gate.ts';
import { type ChatOptions, mediaRequest, type RequestBody, taskReadRequest } from './requests.ts';
import type { Scene } from './scene.ts';

/** What a kit for media works with: its lane, and how to send and to report. */
export interface MediaParts {
  readonly profile: Profile;
  readonly models: readonly string[];
  readonly mainKey: string;
  readonly channels: readonly string[];
  readonly signal: AbortSignal;
  readonly gateOf: (key: string | undefined) => Gate;
  readonly open: (request: WireRequest) => LiveExchange;
  readonly fetch: (url: string) => LiveExchange;
  readonly clockAheadMs: () => number;
  readonly advise: (finding: Finding) => void;
  readonly note: (text: string) => void;
  /** Told of each id that the deployment makes. */
  readonly issued: (id: string) => void;
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
const firstWaitMs = 25;
const longestWaitMs = 1_500;
const growth = 1.5;

/** Calls for pictures and tasks on one lane, and what their answers are judged by. */
export class KitMedia {
  readonly #parts: MediaParts;
  readonly #readers = new Map<string, string>();
  readonly #traces = new Map<string, TaskTrace>();
  /** When reads happened, counted over all reads of the lane. */
  readonly #times = new WeakMap<Exchange, { began: number; ended: number; reader: string }>();
  #tick = 0;
  #reads = 0;

  constructor(parts: MediaParts) {
    this.#parts = parts;
  }

  /** Ids of models that make pictures, video or sound which are enabled for K1. */
  get models(): readonly string[] {
    return this.#parts.models;
  }

  /** Those of them that an endpoint serves, at least one. @throws Untestable when there is none. */
  modelsOf(endpoint: MediaModel['endpoint']): readonly [string, ...string[]] {
    const [first, ...others] = this.models.filter((id) => mediaModel(id)?.endpoint === endpoint);
    if (first === undefined) throw new Untestable(`models.enabled with a model of the ${endpoint} endpoint`);
    return [first, ...others];
  }

  /** The smallest legal body of a model, by which the scene is known again. */
  minimal(model: string, scene: Scene): Record<string, unknown> & { model: string } {
    const { media, upstream } = this.#parts.profile;
    const [voice] = media.voice_ids;
    if (model === 'voice-v3' && voice === undefined && upstream === undefined)
      throw new Untestable('media.voices');
    return legalMediaBody(model, scene, voice);
  }

  /** Sends politely: never more than cap minus one of one user's calls in flight. */
  async images(body: RequestBody, options: ChatOptions = {}): Promise<Exchange> {
    return this.#parts.gateOf(options.key).pass(() => this.openImages(body, options).done);
  }

  /** Sends at once, whatever is in flight. */
  openImages(body: RequestBody, options: ChatOptions = {}): LiveExchange {
    return this.#parts.open(mediaRequest('images', body, options, this.#parts.mainKey));
  }

  async submit(body: RequestBody, options: ChatOptions = {}): Promise<Exchange> {
    return this.#parts.gateOf(options.key).pass(() => this.openSubmit(body, options).done);
  }

  openSubmit(body: RequestBody, options: ChatOptions = {}): LiveExchange {
    return this.#parts.open(mediaRequest('submit', body, options, this.#parts.mainKey));
  }

  async read(taskId: string, options: ChatOptions = {}): Promise<Exchange> {
    return this.#parts.gateOf(options.key).pass(() => this.openRead(taskId, options).done);
  }

  openRead(taskId: string, options: ChatOptions = {}): LiveExchange {
    const began = this.#next();
    // Ids are drawn by the deployment, so that the usual draw would not be the same in a replay.
    this.#reads += 1;
    const encoding = this.#reads % 2 === 0 ? 'gzip' : 'identity';
    const request = taskReadRequest(taskId, options, this.#parts.mainKey);
    const headers = { 'accept-encoding': encoding, ...request.headers };
    const live = this.#parts.open({ ...request, headers });
    const reader = this.#readerOf(options.key ?? this.#parts.mainKey);
    const done = live.done.then((exchange) => {
      this.#times.set(exchange, { began, ended: this.#next(), reader });
      return exchange;
    });
    return { ...live, done };
  }

  /** Judges a 200 answer to an image request. */
  pictured(exchange: Exchange, expected: ExpectedImages = {}): ImagesAnswer {
    const answer = judgeImages(exchange, { clockAheadMs: this.#parts.clockAheadMs(), ...expected });
    for (const text of answer.notes) this.#parts.note(text);
    return answer;
  }

  /** The picture that an element of `data` stands for, which must be one. */
  async look(picture: AnsweredPicture, exchange: Exchange): Promise<Fetched> {
    const { url, base64 } = picture;
    if (url === null) {
      const bytes = bytesOfBase64(base64 ?? '') ?? Buffer.alloc(0);
      const found = { url: '', status: 200, type: '', bytes, sniffed: sniff(bytes), exchange };
      judgePicture(found, { requirement: 'IMG-021', aspect: 'picture-in-base64', exchange });
      return found;
    }
    const found = await this.fetch(url);
    judgePicture(found, { requirement: 'IMG-020', aspect: 'picture-at-url', exchange, twin: found.exchange });
    return found;
  }

  /** Judges the answer to a submission that was taken on. */
  accepted(exchange: Exchange, expected: ExpectedTask = {}): AcceptedTask {
    const accepted = judgeAccepted(exchange, { clockAheadMs: this.#parts.clockAheadMs(), ...expected });
    for (const finding of accepted.advice) this.#parts.advise(finding);
    this.#parts.issued(accepted.taskId);
    return accepted;
  }

  /** Judges a 200 read by itself and, with all other reads of the task on this lane, as a trace. */
  record(exchange: Exchange, taskId: string, expected: Parameters<typeof judgeRecord>[2] = {}): TaskRecord {
    const record = judgeRecord(exchange, taskId, { channels: this.#parts.channels, ...expected });
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
    for (let waitMs = this.#parts.profile.tasks.poll_ms ?? firstWaitMs; ; ) {
      const last = this.record(await this.read(taskId, options), taskId, options.rule);
      const isDone = until(last);
      const leftMs = this.#patience(options) - (performance.now() - start);
      if (isDone || leftMs <= 0) return { trace, last, isDone };
      await wait(Math.min(waitMs, Math.max(1, leftMs)), undefined, { signal: this.#parts.signal });
      waitMs = Math.min(Math.max(longestWaitMs, waitMs), waitMs * growth);
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
        const found = await this.fetch(url);
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

  /** Reads an address as anybody would, without the API key. */
  async fetch(url: string): Promise<Fetched> {
    return fetchMedia(this.#parts.fetch, url);
  }

  /** A name for whoever reads with a key, so that no sentence repeats the key. */
  #readerOf(key: string): string {
    const known = this.#readers.get(key);
    if (known !== undefined) return known;
    const name = key === this.#parts.mainKey ? 'K1' : `another key (${this.#readers.size + 1})`;
    this.#readers.set(key, name);
    return name;
  }

  #patience({ withinMs }: FollowOptions): number {
    return withinMs ?? this.#parts.profile.tasks.states_within_ms;
  }

  #next(): number {
    this.#tick += 1;
    return this.#tick;
  }
}

function judgePicture(
  found: Fetched,
  own: Pick<Finding, 'requirement' | 'aspect' | 'exchange' | 'twin'>,
): void {
  if (found.status === 200 && found.sniffed.kind === 'image') return;
  throw new Violation({ ...own, expected: 'a PNG, JPEG or WebP picture', actual: summaryOf(found) });
}
