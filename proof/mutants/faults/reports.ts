import { type Body, objectIn } from '../../../suites/rewrite/json.ts';
import {
  jsonAnswer,
  type Mutation,
  type ProxyAnswer,
  type ProxyRequest,
} from '../../../suites/rewrite/mutation.ts';
import { codeOf, refusal } from '../../../suites/rewrite/refusal-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { upstream } from '../../edits/mutant.ts';

/** Gateways that mishandle an upstream's job report, visible from outside. */

const received = jsonAnswer(200, { received: true });

const dataOf = (report: ProxyRequest): Body => (objectIn(report.body)?.data ?? {}) as Body;

/** Answers reports in place of the gateway. */
const answers = (answer: ProxyAnswer): Mutation => ({ report: { request: () => answer } });

/** Changes the gateway's answers to reports. */
const answered = (change: (answer: ProxyAnswer) => ProxyAnswer | null): Mutation => ({
  report: { answer: (answer) => change(answer) ?? answer },
});

export const answering: readonly Mutant[] = [
  upstream(
    ['faults.report-unknown', 'a report of a job gets task_not_found', 'STATE-005', 'report-taken'],
    answers(refusal('task_not_found')),
  ),
  upstream(
    ['faults.report-unsigned-taken', 'reports with any signature are accepted', 'ERR-014', 'report-refused'],
    answered((answer) => (answer.status === 401 ? received : null)),
  ),
  upstream(
    ['faults.report-stale-taken', 'reports are taken however old they are', 'ERR-033', 'report-replayed'],
    answered((answer) => (codeOf(answer) === 'webhook_replay' ? received : null)),
  ),
  upstream(
    ['faults.report-anything-taken', 'whatever is signed is a report', 'ERR-001', 'report-refused'],
    answered((answer) => (answer.status === 400 || answer.status === 413 ? received : null)),
  ),
];

/** Jobs reported as failed, and all reported jobs. */
const failed = new Set<string>();
const reported = new Set<string>();

const jobOf = ({ path }: ProxyRequest): string =>
  new URLSearchParams(path.split('?')[1] ?? '').get('taskId') ?? '';

/** Changes the upstream's record of a job, which the gateway believes. */
const inRecords = (edit: (record: Body, job: string) => void): NonNullable<Mutation['answer']> => {
  return (answer, request) => {
    const body = objectIn(answer.body);
    const record = body?.data as Body | undefined;
    if (request.method !== 'GET' || record?.taskId === undefined) return answer;
    edit(record, jobOf(request) || String(record.taskId));
    return { ...answer, body: Buffer.from(JSON.stringify(body)) };
  };
};

export const believing: readonly Mutant[] = [
  upstream(
    ['faults.report-believed', 'a forged report of a job is believed', 'STATE-005', 'fault-survived'],
    {
      report: {
        request: (report) => {
          const { taskId, callbackType } = dataOf(report);
          if (callbackType === 'error') failed.add(String(taskId));
          return report;
        },
      },
      answer: inRecords((record, job) => {
        if (failed.has(job))
          Object.assign(record, {
            status: 'GENERATE_FAILED',
            results: [],
            errorCode: 501,
            errorMessage: 'no',
          });
      }),
    },
  ),
  upstream(
    [
      'faults.report-awaited',
      'a job has ended when a report says so, and not before',
      'TASK-019',
      'fault-ends',
    ],
    {
      report: {
        answer: (answer, report) => {
          const { taskId, callbackType } = dataOf(report);
          if (answer.status < 300 && callbackType !== 'text') reported.add(String(taskId));
          return answer;
        },
      },
      answer: inRecords((record, job) => {
        if (!reported.has(job))
          Object.assign(record, { status: 'TEXT_SUCCESS', results: [], errorCode: null });
      }),
    },
  ),
];
