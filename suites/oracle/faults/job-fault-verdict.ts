import { advise, flag, must } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { answerText } from '../error-leaks.ts';
import type { TaskRecord } from '../media/task-answer.ts';
import { errorTextsOf } from '../upstream-error-texts.ts';
import {
  type JobFaultFacts,
  jobCellsOf,
  type TaskEnd,
  type TaskVerdict,
  taskVerdictOf,
} from './job-fault-facts.ts';

/** The result of a task that met a fault; `end` is null while it is running. */
export interface TaskSeen {
  readonly end: TaskEnd | null;
  /** The code of a failed task, where it reports one (reading B-72), or of the refusal. */
  readonly code: string | null;
  /** The last read, or the refusal. */
  readonly exchange: Exchange;
}

/** Judges whether the task may end like this at all. */
export function judgeEnd({ end, exchange }: TaskSeen, verdict: TaskVerdict): void {
  if (end !== null && verdict.ends.includes(end)) return;
  must(false, {
    ...ruleOfEnd(end, verdict),
    expected: verdict.ends.map((one) => endNames[one]).join(' or '),
    actual: end === null ? 'a task that keeps running' : endNames[end],
    exchange,
  });
}

const endNames: Readonly<Record<TaskEnd, string>> = {
  SUCCESS: 'a task that ends in SUCCESS',
  FAILED: 'a task that ends in FAILED',
  EXPIRED: 'a task that ends in EXPIRED',
  refused: 'a submission that is refused',
};

function ruleOfEnd(end: TaskEnd | null, { ends }: TaskVerdict): { requirement: string; aspect: string } {
  const mayNeverEnd = ends.length === 1 && ends[0] === 'EXPIRED';
  switch (end) {
    case 'SUCCESS':
      return { requirement: mayNeverEnd ? 'STATE-007' : 'STATE-006', aspect: 'fault-false-success' };
    case 'FAILED':
      return mayNeverEnd
        ? { requirement: 'STATE-007', aspect: 'fault-expires' }
        : { requirement: 'STATE-005', aspect: 'fault-survived' };
    case 'EXPIRED':
    case null:
      return mayNeverEnd
        ? { requirement: 'STATE-007', aspect: 'fault-expires' }
        : { requirement: 'TASK-019', aspect: 'fault-ends' };
    case 'refused':
      return { requirement: 'TASK-013', aspect: 'fault-refused' };
  }
}

/** Judges the error that a failed task reports, if any. */
export function judgeTaskCode({ end, code, exchange }: TaskSeen, { codes }: TaskVerdict): void {
  flag(end !== 'FAILED' || code === null || codes.some((one) => one === code), {
    requirement: 'STATE-006',
    aspect: 'fault-code',
    expected: `a task that failed by ${codes.join(' or ')}`,
    actual: String(code),
    exchange,
  });
}

/** Judges the number of upstream jobs for one task. */
export function judgeJobs(count: number, { jobs: [min, max] }: TaskVerdict, exchange: Exchange): void {
  const aspect = 'fault-jobs';
  const expected = min === max ? `${min} jobs at the upstream` : `${min} to ${max} jobs at the upstream`;
  // Two jobs for one task are only ignored advice. A task that reports it ran without any job breaks a rule.
  flag(count <= max, { requirement: 'ROUTE-007', aspect, expected, actual: String(count), exchange });
  flag(count >= min, { requirement: 'STATE-004', aspect, expected, actual: String(count), exchange });
}

/** Judges that no sentence of the upstream about the job reached the caller. */
export function judgeNothingRaw(
  bodies: readonly Buffer[],
  own: string,
  exchanges: readonly Exchange[],
): void {
  const errorTexts = bodies
    .flatMap((body) => errorTextsOf(body, own))
    .flatMap((errorText) => errorText.split(/(?<=[.:]) /));
  for (const exchange of exchanges) {
    const seen = answerText(exchange);
    const raw = errorTexts.find(
      (errorText) => errorText.length >= shortestErrorText && seen.includes(errorText),
    );
    flag(raw === undefined, {
      requirement: 'STATE-006',
      aspect: 'fault-raw',
      expected: 'no text of the upstream about the job',
      actual: JSON.stringify(raw),
      exchange,
    });
  }
}

/** Shorter texts could match by chance. */
const shortestErrorText = 14;

/** Judges that a finished task reports the length that the upstream produced. */
export function judgeLength(record: TaskRecord, seconds: number): void {
  advise(record.durationSec === seconds, {
    requirement: 'TASK-017',
    aspect: 'fault-length',
    expected: `duration_sec ${seconds}, the length of the result`,
    actual: String(record.durationSec),
    exchange: record.exchange,
  });
}

/** The requirements that the check of a fault judges, its main one first. */
export function rowsOfJobFault(facts: JobFaultFacts): [string, ...string[]] {
  const rows = jobCellsOf(facts).flatMap((cell) => rowsOf(taskVerdictOf(facts, cell)));
  const [first, ...rest] = new Set([...rows, ...(facts.id === 'J15' ? ['TASK-017'] : [])]);
  return [first ?? 'TASK-019', ...rest];
}

function rowsOf({ ends, links, deadline, jobs }: TaskVerdict): string[] {
  const [likeliest] = ends;
  return [
    ...(likeliest === 'SUCCESS' ? ['STATE-005'] : []),
    ...(likeliest === 'FAILED' ? ['STATE-006'] : []),
    ...(likeliest === 'EXPIRED' ? ['STATE-007'] : []),
    ...(ends.every((end) => end === 'SUCCESS') ? [] : ['BILL-008']),
    ...(links === 'none' ? [] : ['TASK-018', 'BILL-009']),
    ...(deadline === 'task' ? [] : ['TASK-019']),
    ...(jobs[1] > 0 ? ['ROUTE-007', 'STATE-004'] : []),
    'STATE-002',
    'STATE-008',
  ];
}
