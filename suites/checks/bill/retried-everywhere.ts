import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { dollarText } from '../../oracle/money.ts';
import { flag, part } from '../../rules/violation.ts';
import { serverFault } from '../../steps/failures/routed-call.ts';
import { type WayIn, wayLabel } from '../../steps/ways/way-in.ts';
import { keepWayClosed, waysOf } from '../../steps/ways/ways-of.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';
import { booked } from './story/books.ts';

const counts = { prompt_tokens: 7_003, completion_tokens: 907 };

/** The charge and records of one call. */
interface Kept {
  readonly charge: bigint;
  readonly tokens: number | null;
  readonly records: readonly string[];
  readonly exchange: Exchange;
}

export const retriesCountOnce = defineCheck({
  id: 'bill.retry.every-endpoint',
  title:
    'a call that a second attempt serves has one record, one charge and one count of tokens, at any endpoint',
  requirements: ['BILL-017', 'BILL-009'],
  kind: 'metamorphic',
  needs: ['upstream.control', 'hooks.usage', 'hooks.balance', 'charges'],
  run: async (parts) => {
    for (const way of await waysOf(parts)) if (way.lasts) await part(() => judgeRetried(parts, way));
  },
});

async function judgeRetried(parts: CheckParts, way: WayIn): Promise<void> {
  await keepWayClosed(parts, way, 1);
  const retried = await kept(parts, way, true);
  // Whether it is retried at once is open (reading B-106).
  if (retried === null) return;
  const once = await kept(parts, way, false);
  if (once === null) return;
  const { exchange } = retried;
  const twin = once.exchange;
  const [record = 'none', ...others] = retried.records;
  flag(record === once.records[0] && others.length === 0, {
    requirement: 'BILL-017',
    aspect: 'one-record-of-a-retry',
    expected: `one usage record: ${once.records.join(' and ')}`,
    actual: retried.records.join(' and ') || 'none',
    exchange,
    twin,
  });
  flag(retried.charge === once.charge, {
    requirement: 'BILL-009',
    aspect: 'one-charge-of-a-retry',
    expected: `${dollarText(once.charge)}, as at the first attempt`,
    actual: dollarText(retried.charge),
    exchange,
    twin,
  });
  flag(retried.tokens === once.tokens, {
    requirement: 'BILL-017',
    aspect: 'retry-counted-once',
    expected: `${once.tokens} tokens of the monthly quota, as at the first attempt`,
    actual: `${retried.tokens}`,
    exchange,
    twin,
  });
}

/** Makes a call and reads its charge and records; null when it failed, or when another attempt served it. */
async function kept(parts: CheckParts, way: WayIn, again: boolean): Promise<Kept | null> {
  const { cases, keys, newScene, judge } = parts;
  cases.count();
  const scene = newScene();
  const good = way.protocol === null ? {} : { text: 'Counted elsewhere.', usage: counts };
  await scene.script(...(again ? [serverFault, good] : [good]));
  const label = `${wayLabel(way)}, ${again ? 'whose upstream fails once' : 'served at once'}`;
  const send = (): Promise<Exchange> => way.send(parts, way.body(scene), { label });
  const { exchange, books } = await booked(parts, keys.K1, send);
  const attempts = (await scene.requestsNow()).length;
  if (!isSuccess(exchange) || attempts !== (again ? 2 : 1)) {
    judge.note(`${label}: HTTP ${exchange.response?.status} after ${attempts} attempts`);
    return null;
  }
  const { charge, tokens, records } = books;
  return {
    ...{ charge, tokens, exchange },
    records: records.map(
      (record) =>
        `${record.outcome}, ${record.prompt_tokens} and ${record.completion_tokens} tokens, ${record.units ?? 'no'} units`,
    ),
  };
}
