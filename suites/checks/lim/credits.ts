import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { NativeCounts } from '../../generators/native/answer.ts';
import { dollarText, type Pico } from '../../oracle/money.ts';
import { must, Untestable } from '../../rules/violation.ts';
import { type Exchange, errorCodeOf } from '../../wire/exchange.ts';

/** More calls than any fuse has credit for. */
const maxCalls = 60;

/** Counts of one expensive call, where the upstream can be scripted. */
const heavy = { prompt_tokens: 40_000, completion_tokens: 8_000 };

/** Small counts with no round number. */
const light = { prompt_tokens: 1_431, completion_tokens: 29 };

interface Credit {
  readonly title: string;
  readonly credits: (charge: Pico) => Pico;
  /** Calls served before the first refusal. */
  readonly served: number;
}

const credits: readonly Credit[] = [
  { title: 'what one call costs', credits: (charge) => charge, served: 1 },
  { title: 'the smallest amount above the cost of one call', credits: (charge) => charge + 1n, served: 2 },
  {
    title: 'the smallest amount below the cost of two calls',
    credits: (charge) => 2n * charge - 1n,
    served: 2,
  },
  { title: 'the smallest possible amount', credits: () => 1n, served: 1 },
];

export const runsOut = defineCheck({
  id: 'lim.credits.run-out',
  title: 'calls use up the balance until they get quota_exceeded, and the account stays refused',
  requirements: ['LIM-015'],
  kind: 'upstream',
  needs: ['fuse'],
  run: async (parts) => {
    const { accounts, target, cases, judge, http } = parts;
    const key = await accounts.fuseKey('0.5');
    const model = target.anyModel();
    const rule = { requirement: 'LIM-015', model };
    let left = await balanceOf(parts, key);
    for (let served = 0; served < maxCalls; served += 1) {
      cases.count();
      const exchange = await call(parts, model, key, heavy);
      if (isSpent(exchange)) {
        if (served === 0) judge.note('the account was spent before its first call');
        const expected = 'a served call: the balance is above zero';
        const actual = `quota_exceeded with ${left === null ? '' : dollarText(left)} dollars left`;
        must(left === null || left <= 0n, {
          ...rule,
          aspect: 'above-zero-served',
          expected,
          actual,
          exchange,
        });
        const again = await call(parts, model, key, heavy);
        judge.refused(again, { ...rule, aspect: 'stays-refused', codes: ['quota_exceeded'] });
        return;
      }
      judge.completed(exchange, { ...rule, aspect: 'served-before' });
      const now = await balanceOf(parts, key);
      const fell = left === null || now === null || now < left;
      const expected = `less than ${dollarText(left ?? 0n)} dollars after a call`;
      const actual = dollarText(now ?? 0n);
      must(fell, { ...rule, aspect: 'balance-falls', expected, actual, exchange });
      left = now;
    }
    const expected = `quota_exceeded within ${maxCalls} calls`;
    const actual = 'all of them are served';
    must(false, { ...rule, aspect: 'runs-out', expected, actual, exchange: http.sent.at(-1) });
  },
});

export const zeroIsTheBound = defineCheck({
  id: 'lim.credits.zero',
  title: 'a zero balance is refused and any balance above zero is served (reading B-45)',
  requirements: ['LIM-015', 'LIM-011'],
  kind: 'upstream',
  needs: ['upstream.control', 'hooks.accounts', 'charges'],
  run: async (parts) => {
    const { target, accounts, meter, cases, judge } = parts;
    const model = target.anyModel();
    const { key: rich } = await accounts.create({ credits: '1000' });
    const charge = await meter.charged(() => call(parts, model, rich, light), { key: rich });
    if (charge <= 0n) throw new Untestable(`a price of ${model}`);
    for (const { title, credits: amount, served } of credits) {
      cases.count();
      const { key } = await accounts.create({ credits: dollarText(amount(charge)) });
      for (let one = 1; one <= served; one += 1) {
        const exchange = await call(parts, model, key, light);
        judge.completed(exchange, { requirement: 'LIM-015', aspect: 'above-zero-served', model });
        await meter.settle();
      }
      const refusal = await call(parts, model, key, light);
      judge.note(`credit of ${title}: ${served} served`);
      judge.refused(refusal, { requirement: 'LIM-011', aspect: 'zero-refused', codes: ['quota_exceeded'] });
    }
  },
});

/** The credit left, where the deployment shows it to the key. */
async function balanceOf({ target, meter }: CheckParts, key: string): Promise<Pico | null> {
  const { balance } = target.profile.hooks;
  return balance === undefined || balance.lag_ms > 0 ? null : (await meter.settledAccount(key)).balance;
}

/** Makes a plain call with these counts, where the upstream can be scripted. */
async function call(
  { newScene, target, http }: CheckParts,
  model: string,
  key: string,
  usage: NativeCounts,
): Promise<Exchange> {
  const scene = newScene();
  if (target.profile.upstream !== undefined) await scene.script({ text: 'Counted.', usage: { ...usage } });
  return http.chat(scene.minimal(model), { key, label: 'a call with a price' });
}

function isSpent(exchange: Exchange): boolean {
  return errorCodeOf(exchange) === 'quota_exceeded';
}
