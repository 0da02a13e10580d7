import type { JobReport } from 'gatecheck-simulators/client';
import { must } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { shapeFault } from '../../wire/shapes.ts';
import { rowsOfJobFault } from './job-fault-verdict.ts';
import {
  answersOf,
  type ReceiverFaultFacts,
  type ReportAnswer,
  type ReportFaultFacts,
} from './webhook-fault-facts.ts';

type Report = Pick<JobReport, 'n' | 'kind' | 'status' | 'answer' | 'faulted'>;

/** The answers to a correct report. */
const taken: readonly ReportAnswer[] = [200, 201, 202, 204];

/** Judges the answer to each report of a job: good reports are accepted, bad ones are refused for their fault. */
export function judgeReports(
  reports: readonly Report[],
  facts: ReportFaultFacts,
  form: string | null,
  exchange: Exchange,
): void {
  for (const report of reports) {
    const allowed = report.faulted === null ? taken : answersOf(facts, form);
    const rule = ruleOf(facts, allowed);
    const name = `report ${report.n} of the job, ${report.kind}${report.faulted === null ? '' : ` (${report.faulted})`}`;
    must(allowed.includes(report.status), {
      ...rule,
      expected: `${name}, answered with ${allowed.map((status) => status ?? 'nothing').join(' or ')}`,
      actual: answerOf(report),
      exchange,
    });
    if (report.status !== null && report.status >= 400) judgeRefusal(report, rule, facts, exchange);
  }
}

interface Rule {
  readonly requirement: string;
  readonly aspect: string;
}

function ruleOf({ id }: Pick<ReportFaultFacts, 'id'>, allowed: readonly ReportAnswer[]): Rule {
  if (allowed.some((status) => status !== null && status < 300))
    return { requirement: 'STATE-005', aspect: 'report-taken' };
  switch (id) {
    case 'W5':
      return { requirement: 'ERR-014', aspect: 'report-refused' };
    case 'W6':
      return { requirement: 'ERR-033', aspect: 'report-replayed' };
    default:
      return { requirement: 'ERR-001', aspect: 'report-refused' };
  }
}

/** Judges a refused report like any refusal: the error must say what is wrong. */
function judgeRefusal(report: Report, rule: Rule, { id }: ReportFaultFacts, exchange: Exchange): void {
  const error = errorIn(report.answer);
  const shape = error === null ? { path: '', reason: 'no JSON' } : shapeFault('error', error);
  must(shape === null, {
    ...rule,
    expected: 'an error in the common error shape',
    actual: `${answerOf(report)}: ${shape?.path} ${shape?.reason}`,
    exchange,
  });
  const code = (error as { error: { code: string } }).error.code;
  const wanted = codesOf(id, report) ?? [code];
  must(wanted.includes(code), {
    ...rule,
    expected: `the code ${wanted.join(' or ')}`,
    actual: answerOf(report),
    exchange,
  });
}

/** The codes that a refusal may have; null where the catalogue names none. */
function codesOf(id: string, { status, faulted }: Report): readonly string[] | null {
  if (id === 'W5') return ['invalid_api_key'];
  if (id !== 'W6') return null;
  if (status === 401) return ['invalid_api_key'];
  // An invalid timestamp cannot be too old.
  const isNone = faulted === 'milliseconds' || faulted === 'no-number';
  return isNone ? ['webhook_replay', 'invalid_param'] : ['webhook_replay'];
}

function answerOf({ status, answer }: Report): string {
  return status === null ? 'no answer' : `HTTP ${status} ${answer.replaceAll(/\s+/g, ' ').slice(0, 300)}`;
}

function errorIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** The requirements that the check of a report fault judges, its main one first. */
export function rowsOfReportFault(facts: ReportFaultFacts): [string, ...string[]] {
  const answered = ['*', ...(facts.forms ?? [])].map(
    (form) => ruleOf(facts, answersOf(facts, form)).requirement,
  );
  const [first, ...rest] = rowsOfJobFault(facts);
  return [
    first,
    ...new Set([...answered, 'STATE-010', 'HOOK-001', ...rest].filter((row) => row !== first)),
  ] as [string, ...string[]];
}

/** The requirements that the check of a receiver fault judges, its main one first. */
export function rowsOfReceiverFault(facts: ReceiverFaultFacts): [string, ...string[]] {
  const isNever = facts.exceptions?.some(({ delivery }) => delivery?.attempts?.[1] === 0) ?? false;
  return [
    'HOOK-016',
    'HOOK-001',
    'HOOK-004',
    'HOOK-007',
    'HOOK-008',
    'HOOK-009',
    'HOOK-013',
    'STATE-002',
    ...(isNever ? ['HOOK-005', 'HOOK-006'] : []),
  ];
}
