import { shapeFault } from '../../wire/shapes.ts';
import { type JobFaultFacts, readJobFaults, type TaskVerdict } from './job-fault-facts.ts';
import { readFacts } from './read-facts.ts';

/** An allowed status of a gateway's answer to a job report; null if it need not answer. */
export type ReportAnswer = number | null;

/** A fault in an upstream's reports of a job: reports that come twice, too early, never, or forged. */
export interface ReportFaultFacts extends JobFaultFacts {
  /** The answers to reports that the fault added or changed: by form, `*` for all others. */
  readonly answers: Readonly<Record<string, readonly ReportAnswer[]>>;
}

/** How an event is delivered to a faulty receiver. */
export interface Delivery {
  /** Minimum and maximum number of requests that reach the receiver; null: as many as the profile declares. */
  readonly attempts: readonly [number, number | null];
  /** The number of distinct event ids among them. */
  readonly ids: number;
}

/** A fault of the receiver of an event. */
export interface ReceiverFaultFacts {
  readonly id: string;
  readonly name: string;
  readonly cause: string;
  readonly wire: string;
  /** The receiver's behaviour. */
  readonly receiver: string;
  readonly forms?: readonly string[];
  readonly task: TaskVerdict;
  readonly delivery: Delivery;
  readonly exceptions?: readonly {
    readonly forms?: readonly string[];
    readonly task?: Partial<TaskVerdict>;
    readonly delivery?: Partial<Delivery>;
  }[];
}

/** The faults of reports and of receivers. */
export interface WebhookFaults {
  readonly reports: readonly ReportFaultFacts[];
  readonly receivers: readonly ReceiverFaultFacts[];
}

const file = new URL('../../../fixtures/faults/webhooks.json', import.meta.url);

/** Reads the faults of reports and receivers. @throws Error for a file that does not fit its schema. */
export function loadWebhookFaults(from: URL = file): WebhookFaults {
  return readWebhookFaults(readFacts(from), 'webhooks.json');
}

/**
 * The facts in one parsed file.
 * @throws Error that says where the file is wrong.
 */
export function readWebhookFaults(value: unknown, name: string): WebhookFaults {
  const fault = shapeFault('fault-facts', value);
  if (fault !== null) throw new Error(`${name}${fault.path} ${fault.reason}`);
  const all = value as readonly (ReportFaultFacts | ReceiverFaultFacts)[];
  const receivers = all.filter((facts): facts is ReceiverFaultFacts => 'receiver' in facts);
  const reports = all.filter((facts): facts is ReportFaultFacts => !('receiver' in facts));
  if (reports.length > 0) readJobFaults(reports, name);
  for (const { id, answers, forms = [] } of reports) {
    const known = ['*', ...forms];
    const unknown = Object.keys(answers ?? {}).find((form) => !known.includes(form));
    if (answers?.['*'] === undefined) throw new Error(`${name}: ${id} names no answers to its reports`);
    if (unknown !== undefined) throw new Error(`${name}: ${id} has no form ${unknown}`);
  }
  return { reports, receivers };
}

/** The allowed answers to the reports that a fault added or changed. */
export function answersOf({ answers }: ReportFaultFacts, form: string | null): readonly ReportAnswer[] {
  return answers[form ?? '*'] ?? answers['*'] ?? [];
}

/** The verdict for one form: the general verdict with the matching exceptions applied; later ones win. */
export function receiverVerdictOf(
  facts: ReceiverFaultFacts,
  form: string | null,
): { readonly task: TaskVerdict; readonly delivery: Delivery } {
  const exceptions = (facts.exceptions ?? []).filter(
    ({ forms }) => forms === undefined || (form !== null && forms.includes(form)),
  );
  return {
    task: Object.assign({ ...facts.task }, ...exceptions.map(({ task }) => task ?? {})) as TaskVerdict,
    delivery: Object.assign(
      { ...facts.delivery },
      ...exceptions.map(({ delivery }) => delivery ?? {}),
    ) as Delivery,
  };
}
