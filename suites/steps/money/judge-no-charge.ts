import type { AccountView } from '../../engine/meter.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { namesRequest } from '../../engine/request-id.ts';
import { dollarText } from '../../oracle/money.ts';
import { must, Untestable } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';

/**
 * Judges that refused calls cost the account of K1 nothing. It checks each request, the balance and the counted
 * tokens, as far as the deployment shows them.
 */
export async function judgeNoCharge(
  parts: CheckParts,
  requirement: string,
  refuse: () => Promise<readonly Exchange[]>,
): Promise<void> {
  const before = await balancesHook(parts);
  const refusals = await refuse();
  const after = await balancesHook(parts);
  const charges = parts.meter.byRequest
    ? await Promise.all(
        refusals.map((exchange) =>
          namesRequest(exchange, parts.target.profile) ? parts.meter.chargeOf(exchange) : 0n,
        ),
      )
    : [];
  const place = charges.findIndex((charge) => charge !== 0n);
  const expected = 'no charge for a refused call';
  const actual = `${dollarText(charges[place] ?? 0n)} dollars for ${refusals[place]?.label}`;
  must(place < 0, { requirement, aspect: 'no-charge', expected, actual, exchange: refusals[place] });
  must(before?.balance === after?.balance && before?.tokensUsed === after?.tokensUsed, {
    requirement,
    aspect: 'no-charge',
    expected: `the balance and tokens before the refused calls: ${shown(before)}`,
    actual: shown(after),
    exchange: refusals.at(-1),
  });
}

/**
 * Judges that a served call does cost something, because a meter that never changes proves nothing.
 * @throws Untestable when it does not.
 */
export async function judgeMeter(
  { target, meter, http, newScene, judge }: CheckParts,
  requirement: string,
): Promise<void> {
  const model = target.anyModel();
  const charge = await meter.charged(async () => {
    const twin = await http.chat(newScene().minimal(model), { label: 'a served call, which costs' });
    judge.completed(twin, { requirement, aspect: 'twin-served', model });
    return twin;
  });
  if (charge === 0n) throw new Untestable(`a price of ${model}`);
}

async function balancesHook({ target, meter }: CheckParts): Promise<AccountView | null> {
  const { balance } = target.profile.hooks;
  return balance === undefined ? null : meter.settledAccount();
}

function shown(view: AccountView | null): string {
  return view === null ? 'none' : `${dollarText(view.balance)} dollars, ${view.tokensUsed} tokens used`;
}
