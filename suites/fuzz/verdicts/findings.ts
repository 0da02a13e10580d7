import type { Exchange } from '../../wire/exchange.ts';
import { type Cell, cellKey, type FuzzCase } from '../cases/fuzz-case.ts';

/** What one look at an answer found. */
export interface Verdict {
  /** `observed`: the text is silent. `warn`: advice. `fail`: what no answer may be. */
  readonly level: 'observed' | 'warn' | 'fail';
  /** Short and stable: findings of one cause are one. */
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

/** Everything that has one cause: one endpoint, one kind of answer, one thing that is wrong with it. */
export interface Finding {
  readonly key: string;
  readonly verdict: Verdict;
  readonly endpoint: string;
  readonly status: number | null;
  /** How many answers showed it. */
  count: number;
  /** Where it was seen, a few cells. */
  readonly cells: Cell[];
  /** The smallest request that showed it. */
  example: { readonly one: FuzzCase; readonly exchange: Exchange };
}

const mostCells = 12;

/** Causes that differ by the kind of damage; others are one defect wherever they show. */
const byKind = /^(?:status|accepted|connection|no answer|private link)/;

/** What a run found, grouped by cause. */
export class Findings {
  readonly #found = new Map<string, Finding>();

  /** Adds what one answer showed; true for a cause that is new. */
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
