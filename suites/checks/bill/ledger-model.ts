import fc from 'fast-check';
import { defineCheck } from '../../engine/check.ts';
import type { LedgerEntry } from '../../engine/meter.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { TestAccount } from '../../engine/test-accounts.ts';
import { dollarText, type Pico, picoIn } from '../../oracle/money.ts';
import { must, Violation } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { settledBalance } from './balance.ts';
import { type LedgerStep, ledgerSteps } from './ledger-steps.ts';
import { type Played, playStep } from './play-step.ts';

const requirement = 'BILL-006';

/** How long the charge of an abandoned call may take to be entered, ms. */
const settledMs = 5_000;

/** One step of each kind, with credit that runs out in between. */
const everything: LedgerStep[] = [
  { do: 'call', promptTokens: 12, completionTokens: 7 },
  { do: 'fail' },
  { do: 'grant', credits: '0.5' },
  { do: 'call', promptTokens: 12_457, completionTokens: 891, cachedTokens: 12_304 },
  { do: 'stream', promptTokens: 70_003, completionTokens: 9 },
  { do: 'retry', promptTokens: 30, completionTokens: 3 },
  { do: 'refused' },
  { do: 'abort', promptTokens: 5_003, completionTokens: 807 },
  { do: 'stream', promptTokens: 900_001, completionTokens: 90_001 },
  { do: 'call', promptTokens: 12, completionTokens: 7 },
  { do: 'grant', credits: '100' },
  { do: 'call', promptTokens: 12, completionTokens: 7 },
];

/** The ledger entries of each call must also sum to zero. */
export const ledgerFollowsItsModel = defineCheck({
  id: 'bill.ledger.model',
  title: 'a balance is always credits less charges, and each call is reserved and settled once',
  requirements: [requirement],
  kind: 'property',
  needs: ['upstream.control', 'hooks.accounts', 'hooks.balance'],
  run: async (parts) => {
    await parts.cases.forAll(
      fc.array(ledgerSteps, { minLength: 1, maxLength: parts.cases.full ? 20 : 6 }),
      (steps) => playAll(parts, steps),
      { quick: 2, full: 40, examples: [everything] },
    );
  },
});

/** Plays the steps on a new account, and compares its balance with the model after each step. */
async function playAll(parts: CheckParts, steps: readonly LedgerStep[]): Promise<void> {
  const account = await parts.accounts.create({ credits: '0.25' });
  let balance = pico('0.25');
  for (const [place, step] of steps.entries()) {
    if (step.do === 'grant') {
      await account.change({ grant: step.credits });
      balance += pico(step.credits);
      judgeBalance(
        await settledBalance(parts, account.key),
        balance,
        `step ${place + 1}, ${step.credits} granted`,
      );
      continue;
    }
    balance -= await judgeCall(parts, account, step, balance);
  }
}

/** Makes one call and returns its charge. */
async function judgeCall(
  parts: CheckParts,
  { key }: TestAccount,
  step: Exclude<LedgerStep, { do: 'grant' }>,
  before: Pico,
): Promise<Pico> {
  const { meter } = parts;
  const played: Played[] = [];
  const charge = await meter.charged(
    async () => {
      played.push(await playStep(parts, key, step, before > 0n));
      return played.map((one) => one.exchange);
    },
    { key, laterMs: step.do === 'abort' && before > 0n ? settledMs : 0 },
  );
  const [{ exchange, isFree }] = played as [Played];
  must(!isFree || charge === 0n, {
    requirement: 'BILL-008',
    aspect: 'free-in-the-model',
    expected: `no charge for "${exchange.label}"`,
    actual: dollarText(charge),
    exchange,
  });
  must(isFree || step.do === 'abort' || charge > 0n, {
    requirement,
    aspect: 'charged',
    expected: `a charge for "${exchange.label}"`,
    actual: dollarText(charge),
    exchange,
  });
  judgeBalance(await settledBalance(parts, key), before - charge, exchange.label, exchange);
  if (meter.byRequest) judgeEntries(await meter.entries(exchange), charge, exchange);
  return charge;
}

function judgeBalance(actual: Pico, expected: Pico, after: string, exchange?: Exchange): void {
  must(actual === expected, {
    requirement,
    aspect: 'balance-follows',
    expected: `a balance of ${dollarText(expected)} after "${after}"`,
    actual: dollarText(actual),
    exchange,
  });
}

/** Judges the entries where a ledger shows them: one hold at most, one ending, each balanced. */
function judgeEntries(entries: readonly LedgerEntry[], charge: Pico, exchange: Exchange): void {
  if (entries.length === 0) return;
  const finding = { requirement, exchange, actual: JSON.stringify(entries, shownAmount) };
  const transfers = Map.groupBy(entries, ({ id }) => id);
  for (const [id, all] of transfers) {
    if (sumOf(all) !== 0n)
      throw new Violation({
        ...finding,
        aspect: 'sums-to-nothing',
        expected: `entries of ${id} that add up to 0`,
      });
  }
  const kinds = [...transfers.values()].map(([entry]) => entry?.kind);
  must(
    kinds.filter((kind) => kind === 'settle' || kind === 'void').length === 1 &&
      kinds.filter((kind) => kind === 'hold').length <= 1,
    {
      ...finding,
      aspect: 'ended-once',
      expected: 'at most one hold, and one settlement or release',
    },
  );
  const held = sumOf(entries.filter(({ book }) => book === 'held'));
  must(held === 0n, { ...finding, aspect: 'nothing-held', expected: 'nothing left on hold' });
  const paid = sumOf(entries.filter(({ book }) => book === 'credits'));
  const expected = `${dollarText(-charge)} of credit`;
  must(paid === -charge, { ...finding, aspect: 'entries-are-the-charge', expected });
}

function sumOf(entries: readonly LedgerEntry[]): Pico {
  return entries.reduce((sum, { amount }) => sum + amount, 0n);
}

function shownAmount(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? dollarText(value) : value;
}

function pico(dollars: string): Pico {
  const amount = picoIn(dollars);
  if (amount === null) throw new Error(`${dollars} is not an amount`);
  return amount;
}
