import { dollarText, type Pico } from '../../suites/oracle/money.ts';

/** The gateway reads abandoned answers on for 20 s (reading B-36). Then their charges follow. */
export const releasedWithinMs = 40_000;

/** What one round of a strategy got and paid, in pico-dollars. */
export interface Round {
  readonly calls: number;
  /** What the caller received, valued by the upstream's true counts at the list price. */
  readonly received: Pico;
  /** What its account was charged. */
  readonly charged: Pico;
  /** What may be received without a charge: an upstream broke the answer before it reported its counts. */
  readonly mayBeFree: Pico;
  /** Debt of the account afterwards: charges beyond its credits. */
  readonly owed: Pico;
  /** The declared overshoot of the calls in flight. */
  readonly mayBeOwed: Pico;
  /** Whether all holds were released in time. */
  readonly isReleased: boolean;
}

/** All rounds of a strategy. */
export interface Book {
  readonly strategy: string;
  readonly rounds: readonly Round[];
}

/** The rounds that exceeded the declared bounds, as sentences. */
export function violationsIn({ strategy, rounds }: Book): string[] {
  return rounds.flatMap((round, index) => {
    const at = `${strategy}, round ${index + 1}`;
    const free = round.received - round.charged;
    return [
      ...(free > round.mayBeFree
        ? [`${at}: $${dollarText(free)} received and not charged, $${dollarText(round.mayBeFree)} allowed`]
        : []),
      ...(round.owed > round.mayBeOwed
        ? [`${at}: $${dollarText(round.owed)} owed, $${dollarText(round.mayBeOwed)} allowed`]
        : []),
      ...(round.isReleased
        ? []
        : [`${at}: credits were still held ${releasedWithinMs / 1_000} s after the last call`]),
    ];
  });
}

/** The table of all strategies, a line each. */
export function tableOf(books: readonly Book[]): string {
  const head = ['strategy', 'rounds', 'calls', 'received', 'charged', 'most free', 'most owed'];
  const rows = books.map(({ strategy, rounds }) => [
    strategy,
    String(rounds.length),
    String(rounds.reduce((sum, { calls }) => sum + calls, 0)),
    dollars(rounds.reduce((sum, { received }) => sum + received, 0n)),
    dollars(rounds.reduce((sum, { charged }) => sum + charged, 0n)),
    dollars(most(rounds.map(({ received, charged }) => received - charged))),
    dollars(most(rounds.map(({ owed }) => owed))),
  ]);
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)));
  return [head, ...rows]
    .map((row) =>
      row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))),
    )
    .map((row) => `${row.join('  ')}\n`)
    .join('');
}

function most(amounts: readonly Pico[]): Pico {
  return amounts.reduce((largest, amount) => (amount > largest ? amount : largest), 0n);
}

/** Rounded up to a micro-dollar, so that no positive amount is shown as zero. */
function dollars(amount: Pico): string {
  const micro = (amount + 999_999n) / 1_000_000n;
  return `$${micro / 1_000_000n}.${String(micro % 1_000_000n).padStart(6, '0')}`;
}
