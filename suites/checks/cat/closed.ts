import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { chatCatalogue } from '../../oracle/chat-catalogue.ts';
import { otherKindCodes } from '../../oracle/error-table.ts';
import { type MediaModel, mediaModels } from '../../oracle/media/models.ts';
import { must } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';

const requirement = 'CAT-016';

/** A member that no model takes: whoever refuses it knows the model, and nothing is made or charged. */
const nobodyTakes = { zz_unknown_field: 1 };

/** Ids close to those of the catalogue, and none of them. */
const nearMisses = [
  'vidB3',
  'vidb2',
  'vidA-3.1',
  'song-v6',
  'voice-v3 ',
  'kontext-ultra',
  'Kontext-pro',
  'dream-4',
];

export const catalogueIsClosed = defineCheck({
  id: 'cat.media.closed',
  title:
    'each of the thirty media models is known at its own endpoint and at no other, or not at all; an id that is none of them is unknown everywhere',
  requirements: [requirement],
  kind: 'example',
  needs: ['media.urls'],
  run: async (kit) => {
    for (const model of mediaModels) await judgeModel(kit, model);
    for (const id of nearMisses) {
      for (const endpoint of ['images', 'tasks'] as const) {
        const exchange = await ask(kit, endpoint, id, {});
        kit.judge.refused(exchange, { requirement, aspect: 'near-miss', codes: ['model_not_found'] });
      }
    }
    for (const { id } of chatCatalogue) {
      const exchange = await ask(kit, 'tasks', id, {});
      kit.judge.refused(exchange, { requirement, aspect: 'chat-at-chat-only', codes: otherKindCodes });
    }
    await judgeList(kit);
  },
});

async function judgeModel(kit: CheckParts, { id, endpoint }: MediaModel): Promise<void> {
  const isEnabled = kit.target.mediaModels.includes(id);
  const own = await ask(kit, endpoint, id, nobodyTakes);
  const code = isEnabled ? 'invalid_param' : 'model_not_found';
  kit.judge.refused(own, {
    requirement,
    aspect: isEnabled ? 'known-where-served' : 'unknown-when-disabled',
    codes: [code],
  });
  const other = await ask(kit, endpoint === 'images' ? 'tasks' : 'images', id, nobodyTakes);
  kit.judge.refused(other, { requirement, aspect: 'own-endpoint-only', codes: otherKindCodes, twin: own });
  const chat = await kit.http.chat({ ...kit.newScene().minimal(id) }, { label: `${id} at chat` });
  kit.judge.refused(chat, { requirement, aspect: 'own-endpoint-only', codes: otherKindCodes, twin: own });
}

function ask(kit: CheckParts, endpoint: 'images' | 'tasks', model: string, more: object): Promise<Exchange> {
  kit.cases.count();
  const body = { model, prompt: kit.newScene().prompt(), ...more };
  const options = { label: `${model} at ${endpoint}` };
  return endpoint === 'images' ? kit.images.generate(body, options) : kit.tasks.submit(body, options);
}

/** What the list of models names is of the catalogue; a deployment may add models of its own, which is recorded. */
async function judgeList(kit: CheckParts): Promise<void> {
  const exchange = await kit.http.get('/api/v1/models');
  const text = exchange.response?.body.toString('utf8') ?? '';
  const missing = kit.target.mediaModels.filter((id) => !text.includes(`"${id}"`));
  must(missing.length === 0, {
    requirement,
    aspect: 'listed',
    expected: 'every media model that is enabled among the models',
    actual: `not there: ${missing.join(', ')}`,
    exchange,
  });
}
