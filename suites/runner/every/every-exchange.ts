import type { CheckResult, Failure } from 'gatecheck-reports/report';
import { everyChecks } from '../../checks/every/checks.ts';
import type { CheckFacts } from '../../engine/check.ts';
import { missingFacts } from '../../engine/facts.ts';
import { placeOf } from '../../engine/place-of.ts';
import type { Judged } from '../../oracle/exchange/judge-exchange.ts';
import { type ExchangeRow, shownRows, upstreamRows } from '../../oracle/exchange/rows.ts';
import type { Profile } from '../../profile/profile.ts';
import type { Register } from '../../rules/register.ts';
import type { Finding } from '../../rules/violation.ts';
import { verdictOf } from '../conclude.ts';
import { emptyResult } from '../empty-result.ts';

/** A longer list would be one cause shown many times. */
const mostFailures = 20;

export const everyRows: Readonly<Record<string, ExchangeRow>> = { ...shownRows, ...upstreamRows };

/** What was seen of one row: how many exchanges showed it, and each rule, aspect and place that was broken. */
interface Seen {
  judged: number;
  readonly failures: Map<string, { readonly failure: Failure; readonly sender: string; times: number }>;
}

/** A violation that was seen, with the check that sent its exchange. */
export interface Sighting {
  readonly row: string;
  readonly sender: string;
  readonly failure: Failure;
}

/** What all exchanges of a run show, row by row. */
export class EveryExchange {
  readonly #seen = new Map<string, Seen>();

  /** Adds what the exchanges of one check show. */
  add(sender: string, judged: readonly Judged<string>[], describe: (finding: Finding) => Failure): void {
    for (const { row, findings } of judged) {
      const seen = this.#of(row);
      seen.judged += 1;
      for (const finding of findings) {
        const key = `${finding.requirement} ${finding.aspect} ${placeOf(finding.exchange) ?? ''}`;
        this.#fail(seen, key, { sender, times: 1, describe: () => describe(finding) });
      }
    }
  }

  /** Adds what another one has seen. */
  absorb(other: EveryExchange): void {
    for (const [row, { judged, failures }] of other.#seen) {
      const seen = this.#of(row);
      seen.judged += judged;
      for (const [key, { failure, sender, times }] of failures)
        this.#fail(seen, key, { sender, times, describe: () => failure });
    }
  }

  #of(row: string): Seen {
    const seen = this.#seen.get(row) ?? { judged: 0, failures: new Map() };
    this.#seen.set(row, seen);
    return seen;
  }

  #fail(
    { failures }: Seen,
    key: string,
    { sender, times, describe }: { sender: string; times: number; describe: () => Failure },
  ): void {
    const known = failures.get(key);
    if (known !== undefined) known.times += times;
    else if (failures.size < mostFailures) failures.set(key, { failure: describe(), sender, times });
  }

  /** What broke rules so far. */
  get sightings(): Sighting[] {
    return [...this.#seen].flatMap(([row, { failures }]) =>
      [...failures.values()].map(({ failure, sender }) => ({ row, sender, failure })),
    );
  }

  /** The results of all rows, in their order. */
  results(register: Register, profile: Profile): CheckResult[] {
    return Object.keys(everyRows).map((row) => this.#resultOf(row, register, profile));
  }

  #resultOf(row: string, register: Register, profile: Profile): CheckResult {
    const check = everyChecks.find(({ id }) => id === `every.${everyRows[row]?.id}`) as CheckFacts;
    const seen = this.#seen.get(row);
    if (seen === undefined) {
      const missing = missingFacts(check.needs, profile);
      const why = missing.length > 0 ? missing : [`traffic: ${everyRows[row]?.traffic}`];
      return emptyResult(check, register, 'untestable', why);
    }
    const failures = [...seen.failures.values()];
    const isDemanded = ({ failure }: { failure: Failure }): boolean =>
      verdictOf(failure, register) === 'fail';
    // What is only advised does not hide what is demanded.
    const ordered = [...failures.filter(isDemanded), ...failures.filter((one) => !isDemanded(one))];
    const [first, ...others] = ordered;
    const result = emptyResult(
      check,
      register,
      first === undefined ? 'pass' : verdictOf(first.failure, register),
      [],
    );
    const notes = ordered.map(
      ({ failure, sender, times }) =>
        `${failure.requirement} ${failure.aspect}: in ${times} of ${seen.judged} exchanges, first sent by ${sender}`,
    );
    return {
      ...result,
      evidence: {
        ...result.evidence,
        cases: seen.judged,
        notes: [`${seen.judged} exchanges judged`, ...notes],
      },
      ...(first === undefined ? {} : { failure: first.failure }),
      ...(others.length === 0 ? {} : { also: others.map(({ failure }) => failure) }),
    };
  }
}
