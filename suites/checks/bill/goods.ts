import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { NativeCounts } from '../../generators/native/answer.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { formsOf } from '../../steps/money/call-forms.ts';
import { type Priced, pricedCall } from '../../steps/money/priced-call.ts';
import { mediaIdsOf } from '../../steps/routes/call-route.ts';
import { paidMedia } from './made.ts';

/** Something that can be bought: a call of one form, images or a task. */
export interface Good {
  readonly model: string;
  readonly buy: (label: string, headers?: Readonly<Record<string, string>>) => Promise<Priced>;
}

/** Everything that a key buys at one price each: the chat calls have these counts. */
export async function goodsOf(
  parts: CheckParts,
  key: string,
  counts: NativeCounts,
  requirement: string,
): Promise<Good[]> {
  const goods: Good[] = [];
  for (const model of dialectModels(parts.target))
    for (const form of await formsOf(parts, model))
      goods.push({
        model,
        buy: (label, headers = {}) =>
          pricedCall(parts, { model, ...form, counts, key, label, headers }, { requirement }),
      });
  for (const endpoint of ['images', 'tasks'] as const)
    for (const model of mediaIdsOf(parts.target, endpoint).slice(0, 1))
      goods.push({
        model,
        buy: async (label, headers = {}) => {
          const { charge, exchange } = await paidMedia(parts, { model, key, label, headers }, requirement);
          return { charge, exchange, call: { model, counts, label } };
        },
      });
  return goods;
}
