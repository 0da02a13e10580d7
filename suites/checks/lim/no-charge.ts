import { type Check, defineCheck } from '../../engine/check.ts';
import type { Kit } from '../../engine/kit.ts';
import type { AccountView } from '../../engine/meter.ts';
import { must, Untestable } from '../../engine/violation.ts';
import { chatModel, surelyAbove } from '../../oracle/chat-catalogue.ts';
import { dollarText } from '../../oracle/money.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { isNamed } from '../faults/charge.ts';
import { callersOf, holdCalls } from './held-calls.ts';
import { promptOfWords } from './long-prompt.ts';

/**
 * Judges that refused calls cost the account of K1 nothing: neither by request, nor by its balance and the tokens that are
 * counted for it, as far as the deployment shows them.
 */
export async function judgeNoCharge(
  kit: Kit,
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

async function standing(kit: Kit): Promise<AccountView | null> {
  const { balance } = kit.profile.hooks;
  return balance === undefined ? null : kit.meter.account();
}

function shown(view: AccountView | null): string {
  return view === null ? 'none' : `${dollarText(view.balance)} dollars, ${view.tokensUsed} tokens used`;
}

/** That a served call does cost something: else a meter that shows nothing proves nothing. @throws Untestable */
export async function judgeMeter(kit: Kit, requirement: string): Promise<void> {
  const model = kit.anyModel();
  const charge = await kit.meter.charged(async () => {
    const twin = await kit.chat(kit.scene().minimal(model), { label: 'a served call, which costs' });
    kit.completed(twin, { requirement, aspect: 'twin-served', model });
    return twin;
  });
  if (charge === 0n) throw new Untestable(`a price of ${model}`);
}

const capRefusalIsFree = defineCheck({
  id: 'lim.cap.no-charge',
  title: 'calls that the cap refuses cost nothing',
  requirements: ['LIM-010'],
  kind: 'concurrency',
  needs: ['upstream.control', 'charges'],
  run: async (kit) => {
    const callers = callersOf(kit.profile.cap.value);
    const held = await holdCalls(kit, { callers, requirement: 'LIM-010', aspect: 'cap-available' });
    await judgeNoCharge(kit, 'LIM-010', async () => {
      const refusals: Exchange[] = [];
      for (const stream of [false, true, false]) {
        kit.countCase();
        const body = { ...kit.scene().minimal(held.model), ...(stream ? { stream } : {}) };
        const refusal = await kit.openChat(body, { label: 'one too many' }).done;
        kit.refused(refusal, {
          requirement: 'LIM-010',
          aspect: 'refused',
          codes: ['concurrency_exceeded'],
        });
        refusals.push(refusal);
      }
      return refusals;
    });
    await held.finish();
    await judgeMeter(kit, 'LIM-010');
  },
});

const tooLongIsFree = defineCheck({
  id: 'lim.context.no-charge',
  title: 'a request that is refused for its length costs nothing',
  requirements: ['LIM-019'],
  kind: 'example',
  needs: ['charges'],
  run: async (kit) => {
    const [model] = kit.models.flatMap((id) => chatModel(id) ?? []).sort((a, b) => a.contextK - b.contextK);
    if (model === undefined) throw new Untestable('a chat model of the catalogue');
    const above = surelyAbove(model);
    await judgeNoCharge(kit, 'LIM-019', async () => {
      const refusals: Exchange[] = [];
      for (const body of [
        { ...kit.scene().minimal(model.id), max_tokens: above },
        { ...kit.scene().minimal(model.id), max_tokens: above, stream: true },
        kit.scene().minimal(model.id, promptOfWords(kit, model.contextK * 1_250)),
      ]) {
        kit.countCase();
        const refusal = await kit.chat(body, { label: 'too long' });
        kit.refused(refusal, { requirement: 'LIM-019', aspect: 'refused', codes: ['context_too_long'] });
        refusals.push(refusal);
      }
      return refusals;
    });
    await judgeMeter(kit, 'LIM-019');
  },
});

export const noChargeChecks: readonly Check[] = [capRefusalIsFree, tooLongIsFree];
