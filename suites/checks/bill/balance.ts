import { defineCheck } from '../../engine/check.ts';
import { declaredCharge, type Markup } from '../../engine/declared-price.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { asNative } from '../../generators/usage-counts.ts';
import { dollarText, type Pico } from '../../oracle/money.ts';
import type { UsageCounts } from '../../oracle/price.ts';
import { must, part } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { pricedCall } from '../../steps/money/priced-call.ts';

const requirement = 'BILL-006';

const none = { cached_tokens: 0, cache_write_5m_tokens: 0, cache_write_1h_tokens: 0 };
const usages: readonly UsageCounts[] = [
  { ...none, prompt_tokens: 12_457, completion_tokens: 89, cached_tokens: 2_304 },
  { ...none, prompt_tokens: 150_007, completion_tokens: 30_011 },
  { ...none, prompt_tokens: 11, completion_tokens: 3 },
];

/** The key whose balance is read, and its app's markup. */
interface Payer {
  readonly key: string;
  readonly markup: Markup;
}

interface BalanceCall {
  readonly model: string;
  readonly counts: UsageCounts;
  readonly stream: boolean;
}

export const balanceFallsByTheCharge = defineCheck({
  id: 'bill.balance.falls',
  title: "each call lowers the account's credit by exactly its charge, a refused call by nothing",
  requirements: [requirement],
  kind: 'example',
  needs: ['upstream.control', 'hooks.balance'],
  run: async (parts) => {
    const payer = await payerOf(parts);
    for (const [place, model] of dialectModels(parts.target).entries())
      await part(async () => {
        for (const counts of usages)
          await judgeCall(parts, payer, { model, counts, stream: place % 2 === 1 });
        await judgeRefused(parts, model, payer.key);
      });
  },
});

/** A key whose account is not shared: a new account, or the account of the check's own tenant. */
async function payerOf({ target, keys, accounts }: CheckParts): Promise<Payer> {
  if (target.profile.hooks.accounts === undefined) return { key: keys.K1, markup: 'K1' };
  const bp = 1_250;
  const { key } = await accounts.create({ credits: '1000', apps: [{ markup_bp: bp }] });
  return { key, markup: { bp } };
}

/** The expected cost comes from the ledger, or else from the declared prices. */
async function judgeCall(
  parts: CheckParts,
  { key, markup }: Payer,
  { model, counts, stream }: BalanceCall,
): Promise<void> {
  const { meter, target } = parts;
  const before = await settledBalance(parts, key);
  const call = { model, key, stream, counts: asNative(counts), label: JSON.stringify(counts) };
  const { exchange } = await pricedCall(parts, call, { requirement });
  const fall = before - (await settledBalance(parts, key));
  const due = meter.byRequest
    ? await meter.chargeOf(exchange)
    : declaredCharge(target.profile, model, counts, markup);
  const expected = `${dollarText(due)} taken from the balance`;
  const actual = `${dollarText(fall)} taken`;
  must(fall === due, { requirement, aspect: 'balance-follows', expected, actual, exchange });
}

async function judgeRefused(parts: CheckParts, model: string, key: string): Promise<void> {
  const { cases, newScene, http, judge } = parts;
  cases.count();
  const before = await settledBalance(parts, key);
  const body = { ...newScene().minimal(model), temperature: 'hot' };
  const exchange = await http.chat(body, { key, label: `${model}, refused` });
  judge.refused(exchange, { requirement, aspect: 'refused', codes: ['invalid_param'], param: 'temperature' });
  const fall = before - (await settledBalance(parts, key));
  const expected = 'the same balance after a refused call';
  const actual = `${dollarText(fall)} taken`;
  must(fall === 0n, { requirement, aspect: 'refused-takes-nothing', expected, actual, exchange });
}

/** The balance, read once the charges so far have reached it. */
export async function settledBalance({ meter }: CheckParts, key: string): Promise<Pico> {
  return (await meter.settledAccount(key)).balance;
}
