import type { CheckResult, Failure } from 'gatecheck-reports/report';
import { everyChecks } from '../../checks/every/checks.ts';
import type { CheckFacts } from '../../engine/check.ts';
import { missingFacts } from '../../engine/has-fact.ts';
import { placeOf } from '../../engine/place-of.ts';
import { PaceBook } from '../../oracle/exchange/pace-book.ts';
import {
  accountRows,
  type ExchangeRow,
  receiverRows,
  shownRows,
  upstreamRows,
} from '../../oracle/exchange/rows.ts';
import type { Profile } from '../../profile/profile.ts';
import type { Register } from '../../rules/register.ts';
import type { Finding } from '../../rules/violation.ts';
import { verdictOf } from '../conclude.ts';
import { emptyResult } from '../empty-result.ts';
import type { Found } from './check-watch.ts';

/** The most failures of one row; a longer list would show one cause many times. */
const mostFailures = 20;

/** The most calls of a kind that are queried one by one. */
const mostAsked = 2;

const everyRows: Readonly<Record<string, ExchangeRow>> = {
  ...shownRows,
  ...upstreamRows,
  ...accountRows,
  ...receiverRows,
};

/** A violation with the check that sent its exchange. */
export interface Sighting {
  readonly failure: Failure;
  readonly sender: string;
  /** Whether it showed up again when its sender was judged again alone; undefined when not tried. */
  isCertain?: boolean | undefined;
}

/** The findings of one row: how many exchanges were judged, and how often each rule, aspect and place was broken. */
interface Seen {
  judged: number;
  readonly failures: Map<string, Sighting & { times: number }>;
}

/** What all exchanges of a run show, row by row. */
export class EveryExchange {
  readonly #seen = new Map<string, Seen>();
  readonly #paces = new PaceBook<Sighting>();
  readonly #asked = new Map<string, number>();

  /** Whether another call of this kind may be queried separately. */
  mayAsk(kind: string): boolean {
    const asked = this.#asked.get(kind) ?? 0;
    this.#asked.set(kind, asked + 1);
    return asked < mostAsked;
  }

  /** Adds the findings in the exchanges of one check. */
  add(sender: string, { judged, paced }: Found, describe: (finding: Finding) => Failure): void {
    const tell = (finding: Finding): Sighting => ({ sender, failure: describe(finding) });
    for (const { row, findings } of judged) {
      const seen = this.#seen.get(row) ?? { judged: 0, failures: new Map() };
      this.#seen.set(row, seen);
      seen.judged += 1;
      for (const finding of findings) {
        const key = `${finding.requirement} ${finding.aspect} ${placeOf(finding.exchange) ?? ''}`;
        const known = seen.failures.get(key);
        if (known !== undefined) known.times += 1;
        else if (seen.failures.size < mostFailures) seen.failures.set(key, { ...tell(finding), times: 1 });
      }
    }
    for (const stream of paced) this.#paces.add(placeOf(stream.exchange) ?? '', stream, tell);
  }

  /** All violations. */
  get broken(): Sighting[] {
    return [
      ...[...this.#seen.values()].flatMap(({ failures }) => [...failures.values()]),
      ...this.#paces.broken,
    ];
  }

  /** Whether the same rule and aspect were broken here. */
  hasShown({ failure: { requirement, aspect } }: Sighting): boolean {
    return this.broken.some(
      ({ failure }) => failure.requirement === requirement && failure.aspect === aspect,
    );
  }

  /** The results of all rows, in their order. */
  results(register: Register, profile: Profile): CheckResult[] {
    return Object.keys(everyRows).map((row) => this.#resultOf(row, register, profile));
  }

  /** Pace is judged over all streams together, because only they show whether any of them flows. */
  get #pace(): Seen | undefined {
    const { judged, broken } = this.#paces;
    const failures = new Map(broken.map((told, nth) => [String(nth), { ...told, times: 1 }]));
    return judged === 0 ? undefined : { judged, failures };
  }

  #resultOf(row: string, register: Register, profile: Profile): CheckResult {
    const check = everyChecks.find(({ id }) => id === `every.${everyRows[row]?.id}`) as CheckFacts;
    const seen = row === 'pace' ? this.#pace : this.#seen.get(row);
    if (seen === undefined) {
      const missing = missingFacts(check.needs, profile);
      const isAbsent = missing.some((fact) => profile.absent.includes(fact));
      const why = missing.length > 0 ? missing : [`traffic: ${everyRows[row]?.traffic}`];
      return emptyResult(check, register, isAbsent ? 'not-applicable' : 'untestable', why);
    }
    // Findings that did not recur do not hide findings that did.
    const all = [...seen.failures.values()];
    const certain = all.filter(({ isCertain }) => isCertain !== false);
    const failures = certain.length > 0 ? certain : all;
    const isDemanded = ({ failure }: { failure: Failure }): boolean =>
      verdictOf(failure, register) === 'fail';
    // Broken MUST rules come before ignored advice, so that advice does not hide them.
    const ordered = [...failures.filter(isDemanded), ...failures.filter((one) => !isDemanded(one))];
    const [first, ...others] = ordered;
    const verdict = first === undefined ? 'pass' : verdictOf(first.failure, register);
    const isFlaky = certain.length === 0 && verdict === 'fail';
    const result = emptyResult(check, register, isFlaky ? 'flaky' : verdict, []);
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
