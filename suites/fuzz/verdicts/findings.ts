import type { Exchange } from '../../wire/exchange.ts';
import { type Cell, cellKey, type FuzzCase } from '../cases/fuzz-case.ts';

/** One finding of a judge about an answer. */
export interface Verdict {
  /** `observed`: the specification is silent. `warn`: advice. `fail`: a violation. */
  readonly level: 'observed' | 'warn' | 'fail';
  /** Short and stable, because findings are grouped by cause. */
  readonly cause: string;
  readonly expected: string;
  readonly actual: string;
}

export const failure = (cause: string, expected: string, actual: string): Verdict => ({
  ...{ level: 'fail', cause, expected, actual },
});

export const warning = (cause: string, expected: string, actual: string): Verdict => ({
  ...{ level: 'warn', cause, expected, actual },
});

export const observation = (cause: string, expected: string, actual: string): Verdict => ({
  ...{ level: 'observed', cause, expected, actual },
});

/** All verdicts with one cause: one endpoint, one kind of answer, one defect. */
export interface Finding {
  readonly key: string;
  readonly verdict: Verdict;
  readonly endpoint: string;
  readonly status: number | null;
  /** The number of answers that showed it. */
  count: number;
  /** A few cells that showed it. */
  readonly cells: Cell[];
  /** The smallest request that showed it. */
  example: { readonly one: FuzzCase; readonly exchange: Exchange };
}

const mostCells = 12;

/** Causes that are grouped by kind of damage; the others are one defect for all kinds. */
const byKind = /^(?:status|accepted|connection|no answer|private link)/;

/** What a run found, grouped by cause. */
export class Findings {
  readonly #found = new Map<string, Finding>();

  /** Adds a verdict on one answer; returns true when its cause is new. */
  add(one: FuzzCase, exchange: Exchange, verdict: Verdict): boolean {
    const key = findingKey(one, exchange, verdict);
    const known = this.#found.get(key);
    const [cell] = one.cells;
    if (known === undefined) {
      this.#found.set(key, {
        ...{ key, verdict, endpoint: one.subject.endpoint, status: exchange.response?.status ?? null },
        ...{ count: 1, cells: [cell], example: { one, exchange } },
      });
      return true;
    }
    known.count += 1;
    if (known.cells.length < mostCells && !known.cells.some((other) => cellKey(other) === cellKey(cell)))
      known.cells.push(cell);
    if (one.request.body.length < known.example.one.request.body.length) known.example = { one, exchange };
    return false;
  }

  get all(): readonly Finding[] {
    return [...this.#found.values()];
  }
}

export function findingKey(
  { subject, cells }: FuzzCase,
  { response }: Exchange,
  { cause, level, actual }: Verdict,
): string {
  const [{ kind, field }] = cells;
  if (level !== 'fail') return `${level} | ${subject.endpoint} | ${cause} | ${response?.status ?? 'none'}`;
  const where = cause.startsWith('param')
    ? ` | ${field} | ${actual}`
    : byKind.test(cause)
      ? ` | ${kind}`
      : '';
  return `${level} | ${subject.endpoint} | ${cause} | ${response?.status ?? 'none'}${where}`;
}
