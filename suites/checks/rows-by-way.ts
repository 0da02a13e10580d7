import type { Verdict } from 'gatecheck-reports/report';
import { isJudged } from 'gatecheck-reports/verdict-words';
import { type WayName, wayNames } from '../engine/way-of.ts';

/** Reasons why a row is not tested on some endpoints. */
type Reasons = Partial<Record<WayName, string>>;

const coreAlone: Reasons = {
  core: 'ROUTE-004 and ROUTE-005 ask it of the core path',
  'core, stream': 'ROUTE-004 and ROUTE-005 ask it of the core path',
};
const submitted: Reasons = { tasks: 'a submission is answered before any channel is asked' };

/**
 * The rows of the register that concern several endpoints. Each row has a judged call on every endpoint, or a reason why not.
 * Maintained by hand; `gatecheck coverage --run` compares it with the record of a run.
 */
export const rowsByWay: Readonly<Record<string, Reasons>> = {
  'AUTH-001': {},
  'AUTH-017': {},
  'AUTH-020': {},
  'BILL-009': { tasks: 'whether a submission may be sent twice is advice (ROUTE-007)' },
  'BILL-017': { tasks: 'whether a submission may be sent twice is advice (ROUTE-007)' },
  'EP-012': {},
  'EP-018': {},

  'ERR-020': {},
  'ERR-021': {},
  'LIM-002': {},
  'LIM-003': {},
  'LIM-004': {},
  'LIM-008': {},
  'LIM-010': {},
  'LIM-011': {},
  'LIM-012': {},
  'ROUTE-002': { tasks: 'ROUTE-016 asks it of tasks' },
  'ROUTE-006': { ...coreAlone, tasks: 'ROUTE-007 advises otherwise for submissions' },
  'ROUTE-008': submitted,
  'ROUTE-009': submitted,
  'ROUTE-013': submitted,
  'ROUTE-014': submitted,
};

/** The members of a report that are read. */
export interface JudgedCheck {
  readonly requirements: readonly string[];
  readonly verdict: Verdict;
  readonly evidence: { readonly ways?: Readonly<Record<string, number>> };
}

/** A row with its number of calls on each endpoint, from judged checks of this row. */
export interface RowByWay {
  readonly row: string;
  readonly calls: Readonly<Record<WayName, number>>;
  /** Endpoints without a call and without a reason. */
  readonly empty: readonly WayName[];
}

/** The matrix of rows and endpoints, from the record of a run. Rows without any verdict are left out. */
export function matrixOf(
  checks: readonly JudgedCheck[],
  table: Readonly<Record<string, Reasons>> = rowsByWay,
): readonly RowByWay[] {
  return Object.entries(table).flatMap(([row, reasons]) => {
    const own = checks.filter(({ requirements, verdict }) => requirements.includes(row) && isJudged(verdict));
    if (own.length === 0) return [];
    const callsOn = (way: WayName): number =>
      own.reduce((sum, { evidence }) => sum + (evidence.ways?.[way] ?? 0), 0);
    const calls = Object.fromEntries(wayNames.map((way) => [way, callsOn(way)])) as Record<WayName, number>;
    const empty = wayNames.filter((way) => calls[way] === 0 && reasons[way] === undefined);
    return [{ row, calls, empty }];
  });
}
