import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { png } from '../../oracle/sample-media.ts';
import { oneTool } from '../../oracle/sample-tools.ts';
import { must } from '../../rules/violation.ts';
import { judgeNotForwarded } from '../../steps/chat/upstream-view.ts';
import { type Asked, coreProtocol, type Protocol } from '../../steps/protocols/protocol.ts';
import { compatOf, streamsOn } from '../../steps/protocols/protocol-model.ts';
import { readSaid } from '../../steps/protocols/said.ts';
import { type Exchange, errorCodeOf, isSuccess, outcomeOf } from '../../wire/exchange.ts';

const requirement = 'EP-015';

/** Requests for a capability that a model may lack. */
const wishes: readonly {
  readonly title: string;
  readonly stream?: boolean;
  readonly asked: Partial<Asked>;
}[] = [
  { title: 'an image', asked: { image: { mime: png.mime, base64: png.base64 } } },
  { title: 'a tool', asked: { tools: [oneTool] } },
  { title: 'a stream', stream: true, asked: {} },
];

export const unknownModels = defineCheck({
  id: 'faces.refusals.unknown-model',
  title: 'a name that no model has is answered 404 model_not_found on all three chat paths',
  requirements: [requirement, 'ERR-023'],
  kind: 'metamorphic',
  needs: [],
  run: async (parts) => {
    const { cases, newScene, http, judge, target } = parts;
    const core = target.hasChat ? [coreProtocol] : [];
    for (const { protocol, models } of compatOf(parts)) {
      for (const model of namesLike(models[0])) {
        for (const one of [...core, protocol]) {
          cases.count();
          const scene = newScene();
          const exchange = await one.send(http, model, one.body(scene, { model }), {
            label: `${one.name}, model ${model}`,
          });
          judge.refused(exchange, { requirement, aspect: 'unknown-model', codes: ['model_not_found'] });
          if (target.profile.upstream !== undefined) await judgeNotForwarded(scene, requirement, exchange);
        }
      }
    }
  },
});

export const pictures = defineCheck({
  id: 'faces.refusals.pictures',
  title: 'the core path and its compat path agree on which models take an image (reading B-27)',
  requirements: [requirement, 'CAT-013'],
  kind: 'metamorphic',
  needs: ['chat'],
  run: async (parts) => {
    const [picture] = wishes;
    if (picture === undefined) return;
    for (const { protocol, models } of compatOf(parts)) {
      for (const model of parts.target.few(models))
        await judgeSame(parts, protocol, { model, ...picture.asked }, picture.title, false);
    }
  },
});

export const lacking = defineCheck({
  id: 'faces.refusals.lacking',
  title: 'a missing capability is refused with unsupported_capability on core and compat paths',
  requirements: [requirement, 'CAT-015', 'ERR-026'],
  kind: 'metamorphic',
  needs: ['chat.extra_models', 'chat'],
  run: async (parts) => {
    for (const { protocol, models } of compatOf(parts)) {
      const [family = ''] = models[0].split('-');
      const extra = parts.target.profile.chat.extra_models.filter(({ id }) => id.startsWith(`${family}-`));
      if (extra.length === 0) parts.judge.note(`chat.extra_models has no model named ${family}-`);
      for (const { id: model, capabilities } of extra) {
        const missing = wishes.filter(
          ({ asked, stream }) =>
            (asked.image !== undefined && !capabilities.includes('vision')) ||
            (asked.tools !== undefined && !capabilities.includes('tools')) ||
            (stream === true && !capabilities.includes('stream')),
        );
        if (missing.length > 0 && (await isServedOn(parts, protocol, model)))
          for (const { title, asked, stream = false } of missing) {
            if (stream && !(await streamsOn(parts, { protocol, model: models[0] }))) continue;
            await judgeSame(parts, protocol, { model, ...asked }, title, stream, true);
          }
      }
    }
  },
});

/** Unknown model names that a path might accept by mistake. */
function namesLike(model: string): string[] {
  const family = model.split('-')[0] ?? '';
  return ['no-such-model', `${family}-9-9`, `${model}-latest`, model.toUpperCase()];
}

/** A path may serve only the models of the catalogue (reading B-95). */
async function isServedOn(
  { http, newScene, judge }: CheckParts,
  protocol: Protocol,
  model: string,
): Promise<boolean> {
  const exchange = await protocol.send(http, model, protocol.body(newScene(), { model }), {
    label: `${protocol.name}, ${model}, positive twin`,
  });
  if (errorCodeOf(exchange) === 'model_not_found') {
    judge.note(`${protocol.name} does not serve ${model}`);
    return false;
  }
  readSaid(judge, protocol, exchange, { requirement, aspect: 'twin-served', model });
  return true;
}

/**
 * Sends the same request to both paths: both serve it or both refuse with unsupported_capability. With `lacks`, both must
 * refuse.
 */
async function judgeSame(
  { cases, newScene, http, judge, target }: CheckParts,
  protocol: Protocol,
  asked: Asked,
  title: string,
  stream: boolean,
  lacks = false,
): Promise<void> {
  cases.count();
  const seen: Exchange[] = [];
  for (const one of [coreProtocol, protocol]) {
    const scene = newScene();
    const body: JsonObject = one.body(scene, asked);
    const label = `${one.name}, ${title} on ${asked.model}`;
    const exchange = await one.send(http, asked.model, body, { label, stream });
    const refused = lacks || !isSuccess(exchange);
    if (refused) {
      const codes = ['unsupported_capability'] as const;
      judge.refused(exchange, { requirement, aspect: 'lacking', codes, twin: seen[0] });
      if (target.profile.upstream !== undefined) await judgeNotForwarded(scene, requirement, exchange);
    } else readSaid(judge, one, exchange, { requirement, aspect: 'twin-served', model: asked.model });
    seen.push(exchange);
  }
  const [first, second] = seen;
  must(verdictOf(first) === verdictOf(second), {
    requirement,
    aspect: 'same-verdict',
    expected: `one verdict on ${title} for ${asked.model}, that of the core path: ${first && outcomeOf(first)}`,
    actual: `${second && outcomeOf(second)} on ${protocol.name}`,
    exchange: second,
    twin: first,
  });
}

/** The verdict on a request. Another rule judges the exact success status. */
function verdictOf(exchange: Exchange | undefined): number | 'served' | undefined {
  return exchange !== undefined && isSuccess(exchange) ? 'served' : exchange?.response?.status;
}
