import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { Scene } from '../../engine/scene.ts';
import { plainReply } from '../../generators/compat/generate-reply.ts';
import { unknownModelId } from '../../generators/unknown-model-id.ts';
import { judgeOpenRefusal } from '../../oracle/refusal.ts';
import { must } from '../../rules/violation.ts';
import { shown } from '../../steps/chat/upstream-view.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';
import { refusedB } from './refused.ts';
import { answeredB, atUpstream, formsB, gammaModel, gammaModels, pathB, sendTo, twinB } from './served.ts';

const requirement = 'COMPB-002';

export const unknownIds = defineCheck({
  id: 'compb.model.unknown',
  title: 'a model in the path that does not exist is answered 404 model_not_found',
  requirements: [requirement],
  kind: 'property',
  needs: ['compat.b'],
  run: async (parts) => {
    const { cases, http, newScene, rng, target, judge } = parts;
    const twin = await twinB(parts, gammaModel(target));
    const forms = await formsB(parts);
    await cases.forAll(
      unknownModelId.filter((id) => /^[\w.-]{1,200}$/.test(id) && !/^\.+$/.test(id)),
      async (id) => {
        for (const stream of forms) {
          const label = `model ${JSON.stringify(id).slice(0, 60)}`;
          const exchange = await http.compatB(id, newScene().minimalB(), { stream, label });
          const expected = { requirement, aspect: 'unknown-id', twin };
          refusedB(judge, exchange, { ...expected, codes: ['model_not_found'] });
        }
      },
      {
        quick: 15,
        full: 300,
        examples: [`zz-${rng.hex(12)}`, 'constructor', 'gemini-2.5-pro', 'gamma-3'],
      },
    );
  },
});

export const exactSpelling = defineCheck({
  id: 'compb.model.exact',
  title: "the model id in the path works in its exact spelling only; the upstream's name does not",
  requirements: [requirement],
  kind: 'example',
  needs: ['compat.b'],
  run: async (parts) => {
    const { target, cases, http, newScene, judge } = parts;
    for (const model of gammaModels(target)) {
      const twin = await twinB(parts, model);
      const inside = target.profile.upstream?.native_models?.[model] ?? model;
      const variants = [...misspellings(model), inside].filter((id) => !target.models.includes(id));
      for (const variant of variants) {
        for (const stream of await formsB(parts)) {
          cases.count();
          const exchange = await http.compatB(variant, newScene().minimalB(), {
            stream,
            label: `model ${variant}`,
          });
          const expected = { requirement, aspect: 'exact-spelling', twin };
          refusedB(judge, exchange, { ...expected, codes: ['model_not_found'] });
        }
      }
    }
  },
});

export const otherSpellings = defineCheck({
  id: 'compb.model.encoded',
  title: 'a percent-encoded colon or hyphen in the path is decoded, or the path is not found',
  requirements: [requirement],
  kind: 'example',
  needs: ['compat.b'],
  run: async ({ keys, cases, newScene, target, http, judge }) => {
    for (const model of gammaModels(target)) {
      const key = encodeURIComponent(keys.K1);
      const paths = [
        pathB(model).replace(':generate', '%3Agenerate'),
        pathB(model).replace(':generate', '%3agenerate'),
        pathB(model.replaceAll('-', '%2D')),
      ];
      for (const path of paths) {
        cases.count();
        const exchange = await sendTo(http, `${path}?key=${key}`, newScene().minimalB());
        const own = { requirement, aspect: 'encoded-clean' };
        if (isSuccess(exchange)) answeredB(judge, exchange, false, { ...own, model });
        else judgeOpenRefusal(exchange, { ...own, statuses: [400, 404] });
      }
    }
  },
});

export const pathDecides = defineCheck({
  id: 'compb.model.path-decides',
  title: 'the model in the path decides; one in the body is ignored or refused by name',
  requirements: [requirement],
  kind: 'upstream',
  needs: ['compat.b', 'upstream.control'],
  run: async (parts) => {
    const models = gammaModels(parts.target);
    for (const model of models) {
      const others = [...models, 'beta-mid-4-5', 'delta-3', `zz-${parts.rng.hex(8)}`];
      for (const other of others.filter((id) => id !== model)) {
        for (const named of [other, `models/${other}`]) await judgeNamed(parts, model, named);
      }
    }
  },
});

/** Spellings that a lenient gateway might accept as the id. */
function misspellings(id: string): string[] {
  return [
    id.toUpperCase(),
    id.replace('gamma', 'Gamma'),
    id.replace(/pro$|flash$/, (end) => end.toUpperCase()),
    id.replaceAll('-', '_'),
    id.replace('-3-', '-3.0-'),
    `${id}-latest`,
    `${id}-001`,
    id.slice(0, -1),
  ];
}

async function judgeNamed(
  { cases, newScene, http, judge, target }: CheckParts,
  model: string,
  named: string,
): Promise<void> {
  cases.count();
  const scene = newScene();
  // A lenient upstream, so that only the gateway can refuse.
  await scene.script(plainReply({ parts: [{ text: 'Here.' }] }));
  const body = { ...scene.minimalB(), model: named };
  const exchange = await http.compatB(model, body, { label: `${model}, with model ${named} in the body` });
  const own = { requirement, aspect: 'path-decides' };
  if (exchange.response?.status === 400) {
    refusedB(judge, exchange, { ...own, codes: ['invalid_param'], param: 'model' });
    return;
  }
  if (isSuccess(exchange)) await judgeAsked(target, { scene, exchange, model });
  answeredB(judge, exchange, false, { ...own, model });
}

async function judgeAsked(
  target: Target,
  { scene, exchange, model }: { scene: Scene; exchange: Exchange; model: string },
): Promise<void> {
  const expected = target.profile.upstream?.native_models?.[model];
  const native = await atUpstream(scene, requirement, exchange);
  must(expected === undefined || native.view.model === expected, {
    requirement,
    aspect: 'path-decides',
    expected: `the upstream asked for ${expected}`,
    actual: `asked for ${native.view.model}`,
    exchange,
    upstream: shown(native),
  });
}
