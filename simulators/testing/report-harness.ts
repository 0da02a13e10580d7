import type { JobReport, JobState, TenantControl } from '../control/client.ts';
import { type Arrived, type CallbackReceiver, receiveCallbacks, signatureOf } from './callback-receiver.ts';
import { get, postGenerate } from './post-media.ts';
import type { TestSimulators } from './simulators.ts';

/** A job of the dialect that reports. */
export const song = {
  model: 'voice-music-native',
  task: 'music',
  reference: 'r-1',
  params: { prompt: 'slow' },
};

/** A life that runs from the first moment on and is soon over. */
export const running = { queued_ms: 0, running_ms: 60 };
export const overAtOnce = { queued_ms: 0, running_ms: 0 };

/** A job with a fault of its reports. */
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

  /** Submits a job with the fault, with a receiver that takes everything. */
  async meet(id: string, form: string, job: object = running): Promise<Met> {
    const receiver = await receiveCallbacks([200, '{"received":true}']);
    const tenant = this.#simulators.tenant();
    await tenant.script({ replies: [{ fault: { id, form }, job }] });
    const base = this.#simulators.base(tenant.name, 'studio');
    const answer = await postGenerate(base, { ...song, callback_url: receiver.url });
    return { tenant, base, receiver, taskId: answer.json<{ data: { taskId: string } }>().data.taskId };
  }

  /** The newest job of the tenant once nothing more is to be reported of it, the clock moved as far as it takes. */
  async allReported({ tenant }: Pick<Met, 'tenant'>, stepMs = 100): Promise<JobState> {
    for (;;) {
      const job = (await tenant.jobs()).at(-1);
      if (job !== undefined && job.reports_open === 0) return job;
      await this.#simulators.control.advance(stepMs);
    }
  }

  /** How old a try says it is, seconds; the clock moves a little while it is under way. */
  async ageOf({ headers }: Arrived): Promise<number> {
    const { now_ms } = await this.#simulators.control.clock();
    return now_ms / 1000 - Number(headers['callback-timestamp']);
  }
}

/** What a poll says of the job. */
export async function poll({ base, taskId }: Met): Promise<unknown> {
  const answer = await get(`${base}/record?taskId=${taskId}`);
  return answer.json<{ data: { status: unknown } }>().data.status;
}

/** What was reported, and what the fault made of it. */
export function kinds(reports: readonly JobReport[]): string[] {
  return reports.map(({ kind, faulted }) => (faulted === null ? kind : `${kind}, ${faulted}`));
}

/** Whether the key of the submit signed what arrived. */
export function isHonest(one: Arrived): boolean {
  return one.headers['callback-signature'] === signatureOf(one);
}
