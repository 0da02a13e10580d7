import type { JobOutput, JobView } from '../../answers/job-view.ts';
import type {
  JobEnd,
  JobError,
  JobMove,
  JobReport,
  JobState,
  ScriptedJob,
} from '../../control/job-shapes.ts';
import type { FaultEntry } from '../../control/journal.ts';
import type { GeneratedFile } from '../../encoders/generated-file.ts';
import type { JobFault } from '../../fault-contract/fault.ts';

/** The fault of a job, which applies for as long as the job exists. */
export interface AppliedJobFault {
  readonly entry: Pick<FaultEntry, 'id' | 'form' | 'after'>;
  readonly waitMs: number | null;
  readonly fault: JobFault;
}

/** The facts of a job that are fixed at its submit. */
export interface JobParts
  extends Pick<
    JobState,
    'id' | 'channel' | 'dialect' | 'model' | 'reference' | 'created_at_ms' | 'parent' | 'request_n'
  > {
  /** The task in the dialect's terms; null for a model with only one task. */
  readonly task: string | null;
  readonly life: ScriptedJob;
  /** The files of its result, even if the job never gets there. */
  readonly files: readonly GeneratedFile[];
  /** A hash of its submit. The same key with a different submit is a conflict. */
  readonly fingerprint: string;
  readonly appliedFault: AppliedJobFault | null;
}

/** The default lifetime of a link, ms. */
const linkLifeMs = 3_600_000;

/** One job of an upstream. Its state is computed on each read, from the time, its script and its moves by hand. */
export class Job {
  readonly parts: JobParts;
  submits = 1;
  polls = 0;
  downloads = 0;
  /** In the order of their first attempts. */
  readonly reports: JobReport[] = [];
  /** How many callbacks are still due or in flight. */
  reportsOpen = 0;
  readonly #watchers = new Set<() => void>();
  #movedToRunAtMs: number | null = null;
  #movedToEnd: { readonly atMs: number; readonly end: JobEnd; readonly error: JobError | null } | null = null;

  constructor(parts: JobParts) {
    this.parts = parts;
  }

  get linkLifeMs(): number {
    return this.parts.life.link_life_ms ?? linkLifeMs;
  }

  /** When it leaves the queue; null while it is held there. */
  get #runsAtMs(): number | null {
    if (this.#movedToRunAtMs !== null) return this.#movedToRunAtMs;
    const { hold, queued_ms = 20 } = this.parts.life;
    return hold === 'queued' ? null : this.parts.created_at_ms + queued_ms;
  }

  /** When it ends; null as long as it is held. */
  get endsAtMs(): number | null {
    if (this.#movedToEnd !== null) return this.#movedToEnd.atMs;
    const { hold, queued_ms = 20, running_ms = 40 } = this.parts.life;
    if (hold !== undefined || this.#movedToRunAtMs !== null) return null;
    return this.parts.created_at_ms + Math.max(queued_ms, running_ms);
  }

  /** The next time after `nowMs` at which its state changes; null when it has ended or is held. */
  changesAfter(nowMs: number): number | null {
    const changes = [this.#runsAtMs, this.endsAtMs].filter((atMs) => atMs !== null && atMs > nowMs);
    return changes.length === 0 ? null : Math.min(...changes.map(Number));
  }

  statusAt(nowMs: number): JobState['status'] {
    const endsAtMs = this.endsAtMs;
    if (endsAtMs !== null && endsAtMs <= nowMs)
      return this.#movedToEnd?.end ?? this.parts.life.end ?? 'success';
    const runsAtMs = this.#runsAtMs;
    return runsAtMs !== null && runsAtMs <= nowMs ? 'running' : 'queued';
  }

  /** When it ended; null before that. */
  endedAt(nowMs: number): number | null {
    const endsAtMs = this.endsAtMs;
    return endsAtMs !== null && endsAtMs <= nowMs ? endsAtMs : null;
  }

  /** The state that an upstream reports of it, with `outputs` as its results. */
  viewAt(nowMs: number, outputs: readonly JobOutput[]): JobView {
    const status = this.statusAt(nowMs);
    const isSuccess = status === 'success';
    return {
      stage: status,
      statusWord: null,
      progress: this.#progressAt(nowMs, status),
      outputs: isSuccess ? outputs : null,
      error: this.#errorOf(status),
    };
  }

  /** Moves it by hand. Returns why the move is impossible, or null. */
  move(move: JobMove, nowMs: number): string | null {
    const status = this.statusAt(nowMs);
    if (status !== 'queued' && status !== 'running') return `the job has ended: ${status}`;
    if ('to' in move) {
      if (status === 'running') return 'the job runs already';
      this.#movedToRunAtMs = nowMs;
    } else {
      this.#movedToEnd = { atMs: nowMs, end: move.end, error: move.error ?? null };
    }
    for (const watcher of [...this.#watchers]) watcher();
    return null;
  }

  /** Calls `onMove` after every move by hand. */
  watch(onMove: () => void): void {
    this.#watchers.add(onMove);
  }

  stateAt(nowMs: number): JobState {
    const { id, channel, dialect, model, reference, created_at_ms, parent, request_n } = this.parts;
    const { submits, polls, downloads, reports, reportsOpen } = this;
    const status = this.statusAt(nowMs);
    return {
      id,
      channel,
      dialect,
      model,
      reference,
      status,
      submits,
      polls,
      downloads,
      created_at_ms,
      parent,
      request_n,
      reports: reports.map((report) => ({ ...report })),
      reports_open: reportsOpen,
    };
  }

  #progressAt(nowMs: number, status: JobState['status']): number {
    if (status === 'success') return 100;
    if (status === 'queued') return 0;
    const [fromMs, toMs] = [this.#runsAtMs, this.endsAtMs];
    if (status !== 'running' || fromMs === null || toMs === null || toMs <= fromMs) return 50;
    return Math.min(99, Math.floor((100 * (nowMs - fromMs)) / (toMs - fromMs)));
  }

  #errorOf(status: JobState['status']): JobError | null {
    if (status !== 'failed' && status !== 'canceled') return null;
    return this.#movedToEnd?.error ?? this.parts.life.error ?? ownErrors[status];
  }
}

const ownErrors: Readonly<Record<'failed' | 'canceled', JobError>> = {
  failed: { code: 'internal_error', message: 'The model failed while it was at work.' },
  canceled: { code: 'canceled', message: 'The job was canceled.' },
};
