import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { judgeNotForwarded } from '../../steps/chat/upstream-view.ts';
import { coreProtocol, type Protocol } from '../../steps/protocols/protocol.ts';
import { compatOf, streamsOn } from '../../steps/protocols/protocol-model.ts';
import { readSaid } from '../../steps/protocols/said.ts';

const requirement = 'EP-018';

export const disabledOnEveryPath = defineCheck({
  id: 'faces.models.not-enabled',
  title: 'a model not enabled for the account is answered 404 model_not_found on compat paths too',
  requirements: [requirement, 'EP-012', 'EP-015'],
  kind: 'example',
  needs: ['hooks.accounts', 'chat'],
  run: async (parts) => {
    const { accounts, target, cases } = parts;
    for (const { protocol, models } of compatOf(parts)) {
      const [missing, ...rest] = models;
      const account = await accounts.create({ models: target.models.filter((model) => model !== missing) });
      const { key } = account;
      const streams = await streamsOn(parts, { protocol, model: missing });
      for (const one of [protocol, coreProtocol]) {
        for (const stream of streams ? [false, true] : [false]) {
          cases.count();
          await judgeMissing(parts, one, { model: missing, key, stream });
        }
        for (const model of rest.slice(0, 1)) await judgeWorks(parts, one, model, key, 'others-usable');
      }
      await account.change({ models: target.models });
      for (const one of [protocol, coreProtocol]) await judgeWorks(parts, one, missing, key, 'enabled-again');
    }
  },
});

async function judgeMissing(
  { newScene, http, judge, target }: CheckParts,
  protocol: Protocol,
  { model, key, stream }: { model: string; key: string; stream: boolean },
): Promise<void> {
  const scene = newScene();
  const label = `${protocol.name}${stream ? ', stream' : ''}, ${model}, which is not enabled`;
  const exchange = await protocol.send(http, model, protocol.body(scene, { model }), { label, stream, key });
  judge.refused(exchange, { requirement, aspect: 'not-usable-on-any-path', codes: ['model_not_found'] });
  if (target.profile.upstream !== undefined) await judgeNotForwarded(scene, requirement, exchange);
}

async function judgeWorks(
  { newScene, http, judge }: CheckParts,
  protocol: Protocol,
  model: string,
  key: string,
  aspect: string,
): Promise<void> {
  const body = protocol.body(newScene(), { model });
  const exchange = await protocol.send(http, model, body, {
    label: `${protocol.name}, ${model}, enabled`,
    key,
  });
  readSaid(judge, protocol, exchange, { requirement, aspect, model });
}
