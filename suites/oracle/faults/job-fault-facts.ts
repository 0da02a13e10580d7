import { shapeFault } from '../../wire/shapes.ts';
import { type ErrorCode, isErrorCode } from '../error-table.ts';
import { readFacts } from './read-facts.ts';

/** The dialects of upstreams with jobs: they are polled, or they send reports and are polled. */
export type JobDialect = 'jobs' | 'callback-jobs';

/** How a task that meets a fault may end; `refused`: with an error instead of a task. */
export type TaskEnd = 'SUCCESS' | 'FAILED' | 'EXPIRED' | 'refused';

/**
 * The time that must pass first: for an answer, for a file, the lifetime of links, or the task's deadline. After
 * the end of a task, it is the time after which a report is a replay.
 */
export type TaskDeadline = 'answer' | 'file' | 'link' | 'task' | 'replay';

/** The allowed results of a job fault in a conforming gateway. Members: `fixtures/schemas/fault-facts.json`. */
export interface TaskVerdict {
  readonly ends: readonly TaskEnd[];
  readonly codes: readonly ErrorCode[];
  /** Minimum and maximum number of upstream jobs for one task. */
  readonly jobs: readonly [number, number];
  readonly charge: 'nothing' | 'made';
  readonly links: 'none' | 'work' | 'last';
  readonly deadline: TaskDeadline | null;
}

/** One fault of the catalogue that affects a job from its submission on. */
export interface JobFaultFacts {
  readonly id: string;
  readonly name: string;
  readonly cause: string;
  readonly wire: string;
  readonly dialects: readonly JobDialect[];
  /** The first is the default. */
  readonly forms?: readonly string[];
  readonly task: TaskVerdict;
  readonly exceptions?: readonly {
    readonly dialects?: readonly string[];
    readonly forms?: readonly string[];
    readonly task: Partial<TaskVerdict>;
  }[];
}

/** One way to apply a fault to a task. `form` is null for a fault with only one form. */
export interface JobCell {
  readonly dialect: JobDialect;
  readonly form: string | null;
}

const file = new URL('../../../fixtures/faults/jobs.json', import.meta.url);

/** Reads the faults of jobs. @throws Error for a file that does not fit its schema. */
export function loadJobFaults(from: URL = file): readonly JobFaultFacts[] {
  return readJobFaults(readFacts(from), 'jobs.json');
}

/**
 * The facts in one parsed file.
 * @throws Error that says where the file is wrong.
 */
export function readJobFaults(value: unknown, name: string): readonly JobFaultFacts[] {
  const fault = shapeFault('fault-facts', value);
  if (fault !== null) throw new Error(`${name}${fault.path} ${fault.reason}`);
  const all = value as readonly JobFaultFacts[];
  for (const facts of all) {
    if (facts.task === undefined) throw new Error(`${name}: ${facts.id} has no verdict of a task`);
    for (const cell of jobCellsOf(facts)) {
      const problem = verdictFault(taskVerdictOf(facts, cell));
      if (problem !== null)
        throw new Error(`${name}: ${facts.id} ${cell.dialect} ${cell.form ?? ''}: ${problem}`);
    }
  }
  return all;
}

/** Checks a verdict beyond its schema; null when nothing is wrong. */
function verdictFault({ ends, codes, jobs, charge, links }: TaskVerdict): string | null {
  const unknown = codes.find((code) => !isErrorCode(code));
  if (unknown !== undefined) return `${unknown} is not a code of the error table`;
  const mayFail = ends.includes('FAILED') || ends.includes('refused');
  if (mayFail && codes.length === 0) return 'the task may fail, but no code is allowed';
  const maySucceed = ends.includes('SUCCESS');
  if (maySucceed === (charge === 'nothing')) return 'a task must be charged exactly when it may succeed';
  if (maySucceed === (links === 'none')) return 'there must be links exactly when the task may succeed';
  return jobs[0] > jobs[1] ? 'the minimum of jobs is above their maximum' : null;
}

/** Every cell of a fault: its dialects and forms. */
export function jobCellsOf({ dialects, forms }: JobFaultFacts): JobCell[] {
  return dialects.flatMap((dialect) => (forms ?? [null]).map((form): JobCell => ({ dialect, form })));
}

/** The verdict for one cell: the general verdict with the matching exceptions applied; later ones win. */
export function taskVerdictOf(facts: JobFaultFacts, { dialect, form }: JobCell): TaskVerdict {
  const exceptions = (facts.exceptions ?? []).filter(
    (one) =>
      (one.dialects?.includes(dialect) ?? true) &&
      (one.forms === undefined || (form !== null && one.forms.includes(form))),
  );
  return Object.assign({ ...facts.task }, ...exceptions.map((one) => one.task)) as TaskVerdict;
}
