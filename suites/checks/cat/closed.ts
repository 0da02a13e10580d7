import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { chatCatalogue } from '../../oracle/chat-catalogue.ts';
import { type ErrorCode, otherKindCodes } from '../../oracle/error-table.ts';
import { isKnownCode } from '../../oracle/known-refusal.ts';
import { type MediaModel, mediaModels } from '../../oracle/media/models.ts';
import { must, Untestable } from '../../rules/violation.ts';
import { type Exchange, errorCodeOf, errorParamOf, isSuccess } from '../../wire/exchange.ts';

const requirement = 'CAT-016';
const listRule = 'EP-010';

/** A field that is invalid on every model. A gateway that rejects it knows the model, and the call is free. */
const unknownField = { zz_unknown_field: 1 };

/** Ids close to those of the catalogue, but not in it. */
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
  title: 'each media model is known at its own endpoint only, if at all; near-miss ids are unknown',
  requirements: [requirement, listRule],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    for (const model of mediaModels.filter(({ endpoint }) => offered(parts).includes(endpoint)))
      await judgeModel(parts, model);
    for (const id of nearMisses) {
      for (const endpoint of offered(parts)) {
        const exchange = await ask(parts, endpoint, id, {});
        refused(parts, exchange, { aspect: 'near-miss', codes: ['model_not_found'] });
      }
    }
    for (const { id } of offered(parts).includes('tasks') ? chatCatalogue : []) {
      const exchange = await ask(parts, 'tasks', id, {});
      refused(parts, exchange, { aspect: 'chat-at-chat-only', codes: otherKindCodes });
    }
    await judgeList(parts);
  },
});

/** The endpoints of media that the deployment has. */
function offered({ target }: CheckParts): readonly MediaModel['endpoint'][] {
  return (['images', 'tasks'] as const).filter((one) => !target.profile.absent.includes(one));
}

async function judgeModel(parts: CheckParts, { id, endpoint }: MediaModel): Promise<void> {
  const { target, http, newScene } = parts;
  const isEnabled = target.mediaModels.includes(id);
  const first = await ask(parts, endpoint, id, unknownField);
  // Where a model is not enabled, its request has two faults, and either may be named first (reading B-04).
  const isOther = !isEnabled && errorCodeOf(first) === 'invalid_param' && namesField(first);
  const own = isOther ? await ask(parts, endpoint, id, {}) : first;
  const expected: Expected = isEnabled
    ? { aspect: 'known-where-served', codes: ['invalid_param'], means: ['model_not_found'] }
    : { aspect: 'unknown-when-disabled', codes: ['model_not_found'], means: ['invalid_param'] };
  refused(parts, own, expected);
  for (const elsewhere of offered(parts).filter((one) => one !== endpoint)) {
    const other = await ask(parts, elsewhere, id, unknownField);
    refused(parts, other, { aspect: 'own-endpoint-only', codes: otherKindCodes, twin: own });
  }
  const chat = await http.chat({ ...newScene().minimal(id) }, { label: `${id} at chat` });
  refused(parts, chat, { aspect: 'own-endpoint-only', codes: otherKindCodes, twin: own });
}

interface Expected {
  readonly aspect: string;
  readonly codes: readonly [ErrorCode, ...ErrorCode[]];
  /** Codes that violate this rule. Any other refusal violates the rule of its own code. */
  readonly means?: readonly ErrorCode[];
  readonly twin?: Exchange;
}

/** Whether a refusal names a field other than `model`: then the gateway knows the model. */
function namesField(exchange: Exchange): boolean {
  const param = errorParamOf(exchange);
  return param !== null && param !== 'model';
}

function refused({ judge, target }: CheckParts, exchange: Exchange, expected: Expected): void {
  const { means = [], aspect, ...rest } = expected;
  const [code] = expected.codes;
  const got = errorCodeOf(exchange);
  // Another rule requires the route.
  if (target.mediaModels.length === 0 && exchange.response?.status === 404 && got !== 'model_not_found')
    throw new Untestable('a route of images and tasks');
  const isTelling = [...expected.codes, ...means].some((one) => one === got) || namesField(exchange);
  const own = { requirement, aspect };
  if (typeof got !== 'string' || isTelling || !isKnownCode(code))
    judge.refused(exchange, { ...own, ...rest });
  else judge.known(exchange, { code, own, blames: () => false });
}

function ask(
  { cases, newScene, images, tasks }: CheckParts,
  endpoint: 'images' | 'tasks',
  model: string,
  more: object,
): Promise<Exchange> {
  cases.count();
  const body = { model, prompt: newScene().prompt(), ...more };
  const options = { label: `${model} at ${endpoint}` };
  return endpoint === 'images' ? images.generate(body, options) : tasks.submit(body, options);
}

/** The list names every enabled media model; it may name others of the deployment's own. */
async function judgeList({ http, target }: CheckParts): Promise<void> {
  const exchange = await http.get('/api/v1/models');
  // Another rule requires the list.
  if (!isSuccess(exchange)) throw new Untestable('a list of models');
  const text = exchange.response?.body.toString('utf8') ?? '';
  const missing = target.mediaModels.filter((id) => !text.includes(`"${id}"`));
  const rule = { requirement: listRule, aspect: 'listed', exchange };
  const expected = 'all enabled media models in the list of models';
  must(missing.length === 0, { ...rule, expected, actual: `missing: ${missing.join(', ')}` });
}
