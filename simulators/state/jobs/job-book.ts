import type { JobState } from '../../control/job-shapes.ts';
import { Job, type JobParts } from './job.ts';
import type { LinkedFile } from './linked-file.ts';

/** The maximum number of jobs and files. The oldest are dropped, because unread ones must not fill the process. */
const maxJobs = 10_000;
const maxFiles = 40_000;

/** The jobs of one tenant's upstreams, with the files that jobs and image calls made. */
export class JobBook {
  readonly #jobs = new Map<string, Job>();
  /** By channel and reference. */
  readonly #named = new Map<string, Job[]>();
  readonly #files = new Map<string, LinkedFile>();

  add(parts: JobParts): Job {
    const job = new Job(parts);
    this.#jobs.set(parts.id, job);
    const name = nameOf(parts);
    if (name !== null) this.#named.set(name, [...(this.#named.get(name) ?? []), job]);
    if (this.#jobs.size > maxJobs) this.#forgetOldest();
    return job;
  }

  find(id: string): Job | null {
    return this.#jobs.get(id) ?? null;
  }

  /** The jobs submitted under the reference, in order of submission. */
  named(channel: string, reference: string): readonly Job[] {
    return this.#named.get(`${channel} ${reference}`) ?? [];
  }

  /** Ids of the other jobs of its channel and dialect, the newest first. */
  others(job: Job): string[] {
    const { channel, dialect } = job.parts;
    const ofChannel = [...this.#jobs.values()].filter(
      (other) => other !== job && other.parts.channel === channel && other.parts.dialect === dialect,
    );
    return ofChannel.map(({ parts }) => parts.id).toReversed();
  }

  addFile(file: LinkedFile): void {
    this.#files.set(file.id, file);
    if (this.#files.size <= maxFiles) return;
    const [oldest] = this.#files.keys();
    if (oldest !== undefined) this.#files.delete(oldest);
  }

  findFile(id: string): LinkedFile | null {
    return this.#files.get(id) ?? null;
  }

  /** In order of submission. */
  list(nowMs: number): JobState[] {
    return [...this.#jobs.values()].map((job) => job.stateAt(nowMs));
  }

  get isEmpty(): boolean {
    return this.#jobs.size === 0 && this.#files.size === 0;
  }

  clear(): void {
    this.#jobs.clear();
    this.#named.clear();
    this.#files.clear();
  }

  #forgetOldest(): void {
    const [oldest] = this.#jobs.values();
    if (oldest === undefined) return;
    this.#jobs.delete(oldest.parts.id);
    const name = nameOf(oldest.parts);
    if (name === null) return;
    const others = (this.#named.get(name) ?? []).filter((job) => job !== oldest);
    if (others.length === 0) this.#named.delete(name);
    else this.#named.set(name, others);
  }
}

function nameOf({ channel, reference }: Pick<JobParts, 'channel' | 'reference'>): string | null {
  return reference === null ? null : `${channel} ${reference}`;
}
