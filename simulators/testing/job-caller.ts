import type { Reply } from '../control/protocol.ts';
import { valueAt } from '../json/json-body.ts';
import type { TestSimulators } from './simulators.ts';

/** The two dialects in which jobs are begun. */
export const jobDialects = ['jobs', 'callback-jobs'] as const;
export type JobDialect = (typeof jobDialects)[number];

/** An answer as a client received it. If the connection broke, the status is 0 and the body the reason. */
export interface Got {
  readonly status: number;
  readonly body: string;
  readonly bytes: Buffer;
  readonly json: unknown;
  readonly headers: Headers;
}

/** The state of a job in a poll. */
export interface JobState {
  readonly status: unknown;
  readonly urls: readonly unknown[] | null;
  readonly error: string;
}

/** A minimal client that submits one job and polls it. */
export class JobCaller {
  readonly dialect: JobDialect;
  readonly tenant: ReturnType<TestSimulators['tenant']>;
  readonly #base: string;
  #nativeId: string | null = null;

  constructor(simulators: TestSimulators, dialect: JobDialect) {
    this.dialect = dialect;
    this.tenant = simulators.tenant();
    this.#base = simulators.base(this.tenant.name, dialect === 'jobs' ? 'video' : 'studio');
  }

  /** Submits the job with the reference `task-1`. `isOverAtOnce` gives it no queue and run time. */
  async submit(fault: NonNullable<Reply['fault']> | null, { isOverAtOnce = false } = {}): Promise<Got> {
    const job = isOverAtOnce ? { job: { queued_ms: 0, running_ms: 0 } } : {};
    if (fault !== null) await this.tenant.script({ replies: [{ fault, ...job }] });
    const [path, body] =
      this.dialect === 'jobs'
        ? ['/jobs', { model: 'vidB2-native', input: { prompt_text: 'the sea', seconds: 10 } }]
        : [
            '/generate',
            {
              model: 'voice-music-native',
              task: 'music',
              reference: 'task-1',
              params: { prompt: 'the sea', durationSec: 30 },
            },
          ];
    const got = await this.#send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'task-1' },
      body: JSON.stringify(body),
    });
    const id = valueAt(got.json, ['id']) ?? valueAt(got.json, ['data', 'taskId']);
    if (typeof id === 'string' && id !== '') this.#nativeId = id;
    return got;
  }

  /** Submits an image grid. */
  async submitGrid(fault: NonNullable<Reply['fault']> | null): Promise<string> {
    if (fault !== null) await this.tenant.script({ replies: [{ fault }] });
    const got = await this.#generate('grid', { task: 'imagine', params: { prompt: 'the sea' } });
    this.#nativeId = String(valueAt(got.json, ['data', 'taskId']));
    return this.#nativeId;
  }

  /** Submits a grid, then a follow-up task with the fault. */
  async submitChild(fault: NonNullable<Reply['fault']>): Promise<Got> {
    const parent = await this.submitGrid(null);
    await this.tenant.script({ replies: [{ fault }] });
    return this.#generate('child', { task: 'upscale', params: { index: 1 }, parent });
  }

  poll(): Promise<Got> {
    const id = this.#nativeId ?? 'unknown';
    return this.#send(this.dialect === 'jobs' ? `/jobs/${id}` : `/record?taskId=${id}`, {});
  }

  /** Polls the given number of times. Returns each reported status, or the HTTP status without one. */
  async polls(times: number): Promise<(JobState | number)[]> {
    const seen: (JobState | number)[] = [];
    for (let time = 0; time < times; time += 1) {
      const { json, status } = await this.poll();
      const job = valueAt(json, this.dialect === 'jobs' ? [] : ['data']);
      const state = valueAt(job, ['status']);
      seen.push(state === undefined ? codeOf(json, status) : jobStateOf(job, state));
    }
    return seen;
  }

  read(url: unknown): Promise<Got> {
    return get(String(url), {});
  }

  #generate(reference: string, members: object): Promise<Got> {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ model: 'journey-7-native', reference, ...members });
    return this.#send('/generate', { method: 'POST', headers, body });
  }

  #send(path: string, init: RequestInit): Promise<Got> {
    const headers = { authorization: 'Bearer sk-upstream', connection: 'close', ...init.headers };
    return get(`${this.#base}${path}`, { ...init, headers });
  }
}

/** A number in a successful answer is more precise than its status. */
function codeOf(json: unknown, status: number): number {
  const code = valueAt(json, ['code']);
  return typeof code === 'number' ? code : status;
}

function jobStateOf(job: unknown, status: unknown): JobState {
  const list = valueAt(job, ['output']) ?? valueAt(job, ['results']) ?? null;
  const error = valueAt(job, ['error']) ?? [valueAt(job, ['errorCode']), valueAt(job, ['errorMessage'])];
  const urls = Array.isArray(list) ? list.map((one) => valueAt(one, ['url'])) : null;
  return { status, urls, error: JSON.stringify(error) };
}

async function get(url: string, init: RequestInit): Promise<Got> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(1_000) });
    const bytes = Buffer.from(await response.arrayBuffer());
    const body = bytes.toString();
    return { status: response.status, body, bytes, json: parsed(body), headers: response.headers };
  } catch (error) {
    return {
      status: 0,
      body: String(error),
      bytes: Buffer.alloc(0),
      json: undefined,
      headers: new Headers(),
    };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
