import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../../engine/check.ts';
import { type MarkedUpKey, mediaPricing, unitPriceOf } from '../../../engine/declared-price.ts';
import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import { coveringArray } from '../../../generators/covering-array.ts';
import { fieldsOf } from '../../../oracle/media/fields.ts';
import { mediaModel } from '../../../oracle/media/models.ts';
import { part, Untestable } from '../../../rules/violation.ts';
import { serverFault } from '../../../steps/failures/routed-call.ts';
import { oneOfEachKind } from '../../../steps/media/task-models.ts';
import { faultyBody, imagesWay, tasksWay } from '../../../steps/ways/way-in.ts';
import { keepWayClosed } from '../../../steps/ways/ways-of.ts';
import type { Exchange } from '../../../wire/exchange.ts';
import { dueFor, makeMedia, type PaidMedia } from '../made.ts';
import { booked } from './books.ts';
import { judgeFreeStory, judgeServedStory } from './judge-story.ts';

const endings = ['first', 'second attempt', 'failed', 'refused'] as const;
const numbers = [1, 2, 4] as const;
const forms = ['url', 'b64_json'] as const;

/** Image models to call, where enabled. */
const pictureModels = ['alpha-image-2', 'gamma-3-pro-image', 'kontext-pro', 'kontext-max'];

interface Plan {
  readonly model: string;
  readonly ending: (typeof endings)[number];
  readonly more: Readonly<Record<string, unknown>>;
  readonly payer: MarkedUpKey;
}

export const mediaTellOneStory = defineCheck({
  id: 'bill.story.media',
  title: 'record, charge, quota and balance of images and tasks agree, for any number and form',
  requirements: ['BILL-001', 'BILL-006', 'BILL-007', 'BILL-008', 'BILL-009'],
  kind: 'property',
  needs: ['upstream.control', 'hooks.usage', 'charges', 'pricing.models', 'pricing.markup'],
  run: async (parts) => {
    const { rng, cases, target, keys } = parts;
    const pictures = pictureModels.filter((id) => target.mediaModels.includes(id));
    const routed = (target.profile.upstream?.media_routes ?? []).map(({ model }) => model);
    const tasks = [...oneOfEachKind(target), ...routed.filter((id) => mediaModel(id)?.endpoint === 'tasks')];
    const [first, ...others] = [...pictures, ...tasks].filter((id) => unitPriceOf(target.profile, id));
    if (first === undefined) throw new Untestable('pricing.models with a model that makes media');
    const payers = keys.K5 === undefined ? (['K1'] as const) : (['K1', 'K5'] as const);
    const models = [first, ...others] as const;
    const factors = { model: models, ending: endings, n: numbers, form: forms, payer: payers };
    for (const { model, ending, n, form, payer } of coveringArray(factors, rng, cases.full ? 3 : 2)) {
      const names = fieldsOf(model).map(({ name }) => name);
      const more = {
        ...(names.includes('n') && n > 1 ? { n } : {}),
        ...(names.includes('response_format') ? { response_format: form } : {}),
      };
      await part(() => play(parts, { model, ending, more, payer }));
    }
  },
});

async function play(parts: CheckParts, plan: Plan): Promise<void> {
  const { cases, keys, newScene, target } = parts;
  const { model, ending, more, payer } = plan;
  const isTask = mediaModel(model)?.endpoint === 'tasks';
  cases.count();
  const replies = repliesTo(plan, isTask);
  if (replies === null) return;
  const way = isTask ? tasksWay(model) : imagesWay(model);
  if (ending === 'second attempt' || (ending === 'failed' && !isTask)) await keepWayClosed(parts, way, 2);
  const key = keys[payer] ?? keys.K1;
  const label = `${model}, ${JSON.stringify(more)}, ${ending}`;
  if (ending === 'failed' || ending === 'refused') {
    const scene = newScene();
    await scene.script(...replies);
    const body = { ...way.body(scene), ...more };
    const wanted = ending === 'refused' ? faultyBody(way, body) : body;
    return judgeFreeStory(
      await booked(parts, key, async () => {
        const exchange = await way.send(parts, wanted, { label, key });
        if (isTask && ending === 'failed') await parts.tasks.follow(parts.tasks.accepted(exchange).taskId);
        return exchange;
      }),
    );
  }
  let paid: Pick<PaidMedia, 'made' | 'orMade'> = { made: { images: 0, seconds: 0 } };
  const story = await booked(parts, key, async (): Promise<Exchange> => {
    const mayFail = ending === 'second attempt';
    const result = await makeMedia(parts, { model, more, key, label, replies, mayFail }, 'BILL-009');
    paid = result;
    return result.exchange;
  });
  if (ending === 'second attempt' && paid.made.images === 0) {
    parts.judge.note(`${label}: no second attempt`);
    return judgeFreeStory(story);
  }
  const chargeFor = mediaPricing(target.profile, model, payer);
  if (chargeFor === null) return;
  const charge = dueFor({ ...paid, charge: story.books.charge }, chargeFor);
  judgeServedStory(story, {
    ...{ model, served: model, stream: false, counts: null, charge },
    pictures: isTask ? null : paid.made.images,
  });
}

/** The upstream's replies; null where this ending cannot be provoked. */
function repliesTo({ ending }: Plan, isTask: boolean): Reply[] | null {
  switch (ending) {
    case 'first':
    case 'refused':
      return [{}];
    case 'second attempt':
      return isTask ? null : [serverFault, {}];
    case 'failed':
      return isTask
        ? [{ job: { end: 'failed', error: { code: 'invalid_input', message: 'Not so.' } } }]
        : [serverFault];
  }
}
