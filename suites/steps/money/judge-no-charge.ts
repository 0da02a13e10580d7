import type { AccountView } from '../../engine/meter.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { dollarText } from '../../oracle/money.ts';
import { must, Untestable } from '../../rules/violation.ts';
import { type Exchange, header } from '../../wire/exchange.ts';

/**
 * Judges that refused calls cost the account of K1 nothing: neither by request, nor by its balance and the tokens that are
 * counted for it, as far as the deployment shows them.
 */
export async function judgeNoCharge(
  kit: CheckParts,
  requirement: string,
  refuse: () => Promise<readonly Exchange[]>,
): Promise<void> {
  const before = await standing(kit);
  const refusals = await refuse();
  const after = await standing(kit);
  const charges = kit.meter.byRequest
    ? await Promise.all(refusals.map((exchange) => (isNamed(exchange) ? kit.meter.chargeOf(exchange) : 0n)))
    : [];
  const place = charges.findIndex((charge) => charge !== 0n);
  must(place < 0, {
    requirement,
    aspect: 'no-charge',
    expected: 'no charge for a refused call',
    actual: `${dollarText(charges[place] ?? 0n)} dollars for ${refusals[place]?.label}`,
    exchange: refusals[place],
  });
  must(before?.balance === after?.balance && before?.tokensUsed === after?.tokensUsed, {
    requirement,
    aspect: 'no-charge',
    expected: `the balance and the tokens of before the refused calls: ${shown(before)}`,
    actual: shown(after),
    exchange: refusals.at(-1),
  });
}

async function standing(kit: CheckParts): Promise<AccountView | null> {
  const { balance } = kit.target.profile.hooks;
  return balance === undefined ? null : kit.meter.account();
}

function shown(view: AccountView | null): string {
  return view === null ? 'none' : `${dollarText(view.balance)} dollars, ${view.tokensUsed} tokens used`;
}

/** That a served call does cost something: else a meter that shows nothing proves nothing. @throws Untestable */
export async function judgeMeter(kit: CheckParts, requirement: string): Promise<void> {
  const model = kit.target.anyModel();
  const charge = await kit.meter.charged(async () => {
    const twin = await kit.http.chat(kit.newScene().minimal(model), { label: 'a served call, which costs' });
    kit.judge.completed(twin, { requirement, aspect: 'twin-served', model });
    return twin;
  });
  if (charge === 0n) throw new Untestable(`a price of ${model}`);
}

/** Whether the answer has the id by which a ledger knows its request: one that never came has none. */
export function isNamed(exchange: Exchange): boolean {
  return header(exchange, 'x-request-id') !== null;
}
