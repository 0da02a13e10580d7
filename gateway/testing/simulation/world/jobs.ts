import { readFileSync } from 'node:fs';
import type { Random } from '../../random.ts';
import { videoSeconds } from './prices.ts';

/** A job at an upstream. */
export interface Job {
  readonly id: string;
  readonly host: string;
  /** What its gateway named it: the task's id. */
  readonly name: string;
  readonly doneAtMs: number;
  readonly fate: 'done' | 'failed' | 'stuck';
  readonly callbackUrl: string | null;
}

const sampleOf = (name: string): Buffer =>
  readFileSync(new URL(`../../../../fixtures/media/${name}`, import.meta.url));
const video = sampleOf('sea.mp4');
const voice = sampleOf('sea.mp3');

type Json = Readonly<Record<string, unknown>>;

/** What an upstream of jobs answers. */
export interface JobAnswer {
  readonly status: number;
  readonly body: Json | Buffer;
}

/** A request to an upstream of jobs. */
export interface JobQuestion {
  readonly host: string;
  readonly url: URL;
  readonly body: Json | null;
  readonly key: string;
}

/** The upstreams that take jobs on, in both dialects. */
export class Jobs {
  readonly made = new Map<string, Job>();
  readonly #random: Random;
  readonly #now: () => number;
  /** Called for each new job. */
  readonly #onMade: (job: Job) => void;

  constructor(random: Random, now: () => number, onMade: (job: Job) => void) {
    this.#random = random;
    this.#now = now;
    this.#onMade = onMade;
  }

  answer(question: JobQuestion): JobAnswer {
    const { url, body } = question;
    if (url.pathname.startsWith('/v1/files/')) {
      return { status: 200, body: url.pathname.endsWith('.mp4') ? video : voice };
    }
    if (url.pathname === '/v1/generate' && body !== null) return this.#generate(question, body);
    if (url.pathname === '/v1/record') return this.#record(question);
    if (url.pathname === '/v1/jobs') return this.#start(question);
    return this.#look(question);
  }

  /** callback-jobs: each start makes a job. */
  #generate({ host }: JobQuestion, { reference, callback_url: callback }: Json): JobAnswer {
    const job = this.#make(host, String(reference), typeof callback === 'string' ? callback : null);
    return { status: 200, body: { code: 200, msg: 'success', data: { taskId: job.id } } };
  }

  #record({ host, url: { searchParams } }: JobQuestion): JobAnswer {
    const [id, name] = [searchParams.get('taskId'), searchParams.get('reference')];
    const job = [...this.made.values()].find(
      (one) => one.host === host && (id === null ? one.name === name : one.id === id),
    );
    if (job === undefined) return { status: 200, body: { code: 404, msg: 'record not found', data: null } };
    const status = { waiting: 'PENDING', done: 'SUCCESS', failed: 'GENERATE_FAILED' }[this.#stateOf(job)];
    const results = status === 'SUCCESS' ? [{ url: `http://${host}.upstream/v1/files/${job.id}.mp3` }] : [];
    const data = { taskId: job.id, reference: job.name, status, results };
    return { status: 200, body: { code: 200, msg: 'success', data } };
  }

  /** jobs: one job for a key, however often it is asked for. */
  #start({ host, key }: JobQuestion): JobAnswer {
    const known = [...this.made.values()].find((one) => one.host === host && one.name === key);
    const job = known ?? this.#make(host, key, null);
    return { status: known === undefined ? 201 : 200, body: { id: job.id, status: 'queued' } };
  }

  #look({ host, url: { pathname } }: JobQuestion): JobAnswer {
    const job = this.made.get(pathname.replace('/v1/jobs/', ''));
    if (job === undefined) return { status: 404, body: { error: { code: 'job_not_found', message: 'no' } } };
    const status = { waiting: 'running', done: 'succeeded', failed: 'failed' }[this.#stateOf(job)];
    const url = `http://${host}.upstream/v1/files/${job.id}.mp4`;
    const output = status === 'succeeded' ? [{ url, duration_seconds: videoSeconds }] : null;
    return { status: 200, body: { id: job.id, status, output, error: null } };
  }

  #make(host: string, name: string, callbackUrl: string | null): Job {
    const random = this.#random;
    const fate = random.chance(0.8) ? 'done' : random.chance(0.8) ? 'failed' : 'stuck';
    const doneAtMs = this.#now() + random.whole(100, 9000);
    const job: Job = { id: `job${this.made.size + 1}`, host, name, doneAtMs, fate, callbackUrl };
    this.made.set(job.id, job);
    this.#onMade(job);
    return job;
  }

  #stateOf({ fate, doneAtMs }: Job): 'waiting' | 'done' | 'failed' {
    return fate === 'stuck' || this.#now() < doneAtMs ? 'waiting' : fate;
  }
}
