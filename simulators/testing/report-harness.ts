import type { JobReport, JobState, TenantControl } from '../control/client.ts';
import { type Arrived, type CallbackReceiver, receiveCallbacks, signatureOf } from './callback-receiver.ts';
import { get, postGenerate } from './post-media.ts';
import type { TestSimulators } from './simulators.ts';

/** A job of the callback-jobs dialect. */
export const song = {
  model: 'voice-music-native',
  task: 'music',
  reference: 'r-1',
  params: { prompt: 'slow' },
};

/** A job life that starts running at once and ends soon. */
export const running = { queued_ms: 0, running_ms: 60 };
export const overAtOnce = { queued_ms: 0, running_ms: 0 };

/** A job with a callback fault. */
export interface Met {
  readonly tenant: TenantControl;
  readonly base: string;
  readonly taskId: string;
  readonly receiver: CallbackReceiver;
}

/** Submits jobs with faults to one set of simulators, and moves their clock. */
export class ReportHarness {
  readonly #simulators: TestSimulators;

  constructor(simulators: TestSimulators) {
    this.#simulators = simulators;
  }

  /** Submits a job with the fault, with a receiver that accepts everything. */
  async meet(id: string, form: string, job: object = running): Promise<Met> {
    const receiver = await receiveCallbacks([200, '{"received":true}']);
    const tenant = this.#simulators.tenant();
    await tenant.script({ replies: [{ fault: { id, form }, job }] });
    const base = this.#simulators.base(tenant.name, 'studio');
    const answer = await postGenerate(base, { ...song, callback_url: receiver.url });
    return { tenant, base, receiver, taskId: answer.json<{ data: { taskId: string } }>().data.taskId };
  }

  /** The newest job of the tenant after its last callback. Moves the clock until then. */
  async allReported({ tenant }: Pick<Met, 'tenant'>, stepMs = 100): Promise<JobState> {
    for (;;) {
      const job = (await tenant.jobs()).at(-1);
      if (job !== undefined && job.reports_open === 0) return job;
      await this.#simulators.control.advance(stepMs);
    }
  }

  /** The age of an attempt by its timestamp, seconds. The clock moves slightly while it is in flight. */
  async ageOf({ headers }: Arrived): Promise<number> {
    const { now_ms } = await this.#simulators.control.clock();
    return now_ms / 1000 - Number(headers['callback-timestamp']);
  }
}

/** The status in a poll of the job. */
export async function poll({ base, taskId }: Met): Promise<unknown> {
  const answer = await get(`${base}/record?taskId=${taskId}`);
  return answer.json<{ data: { status: unknown } }>().data.status;
}

/** The kinds of all callbacks, with the form of the fault for changed ones. */
export function kinds(reports: readonly JobReport[]): string[] {
  return reports.map(({ kind, faulted }) => (faulted === null ? kind : `${kind}, ${faulted}`));
}

/** Whether the key of the submit signed the callback. */
export function isHonest(one: Arrived): boolean {
  return one.headers['callback-signature'] === signatureOf(one);
}
