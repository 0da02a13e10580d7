import { defineCheck } from '../../engine/check.ts';
import type { Target } from '../../engine/parts/target.ts';
import { chatCatalogue, otherModels } from '../../oracle/chat-catalogue.ts';
import { otherKindCodes } from '../../oracle/error-table.ts';
import { judgeNotForwarded } from '../../steps/chat/upstream-view.ts';
import { isSuccess } from '../../wire/exchange.ts';
import { answered, betaModel, betaModels, refused, refusesStream } from './message-calls.ts';

/** Values that a deployment may accept or refuse (reading B-94); null omits the header. */
const others = [
  null,
  '',
  '2024-10-22',
  '2023-06-02',
  '2023-6-1',
  '20230601',
  'yesterday',
  '2023-06-01 ',
  '1.0',
];

/** The header as clients write it, with a stream or without. */
const names = [
  ['compat-a-version', true],
  ['Compat-A-Version', false],
] as const;

export const versionHeader = defineCheck({
  id: 'compa.version.header',
  title: 'the reference version header is accepted; others are accepted or refused by name',
  requirements: ['COMPA-009'],
  kind: 'example',
  needs: ['compat.a'],
  run: async ({ newScene, http, rng, cases, judge, target }) => {
    const taken = { requirement: 'COMPA-009', aspect: 'reference-version' };
    for (const model of target.few(betaModels(target))) {
      for (const [name, stream] of target.few(names)) {
        const body = { ...newScene().minimalA(model), ...(stream ? { stream } : {}) };
        const headers = { [name]: '2023-06-01' };
        const exchange = await http.compatA(body, { version: null, headers, label: `${name} on ${model}` });
        if (stream && refusesStream(judge, exchange)) continue;
        answered(cases, exchange, body, taken);
      }
    }
    for (const version of target.few(others, (one) => String(one === null))) {
      const body = newScene().minimalA(rng.pick(betaModels(target)));
      const label = version === null ? 'no version' : `version ${JSON.stringify(version)}`;
      const exchange = await http.compatA(body, { version, label });
      const accepted = isSuccess(exchange);
      if (accepted) answered(cases, exchange, body, { requirement: 'COMPA-009', aspect: 'other-version' });
      else {
        cases.count();
        refused(judge, exchange, {
          requirement: 'COMPA-009',
          aspect: 'other-version',
          codes: ['invalid_param'],
          param: 'compat-a-version',
          paramRule: 'COMPA-009',
        });
      }
      judge.note(`${accepted ? 'takes' : 'refuses'} ${label} (reading B-94)`);
    }
  },
});

export const noOtherModel = defineCheck({
  id: 'compa.models.others',
  title: 'compat path A refuses unknown and misspelled ids and models of other families',
  requirements: ['COMPA-012'],
  kind: 'example',
  needs: ['compat.a'],
  run: async ({ newScene, http, cases, rng, target, judge }) => {
    const minimal = newScene().minimalA(betaModel(target));
    const twin = await http.compatA(minimal, { label: 'positive twin' });
    answered(cases, twin, minimal, { requirement: 'COMPA-012', aspect: 'twin-served' });
    for (const model of target.few(foreignModels(target))) {
      for (const stream of [false, true]) {
        cases.count();
        const body = { ...newScene().minimalA(model), ...(stream ? { stream } : {}) };
        const exchange = await http.compatA(body, { label: `${model}${stream ? ', streamed' : ''}` });
        const rule = { requirement: 'COMPA-012', aspect: 'other-model', twin };
        refused(judge, exchange, { ...rule, codes: otherKindCodes, param: 'model', paramRule: 'COMPA-012' });
      }
    }
    for (const model of [`beta-${rng.hex(6)}`, ...target.few(betaModels(target).flatMap(misspelt))]) {
      cases.count();
      const exchange = await http.compatA(newScene().minimalA(model), { label: JSON.stringify(model) });
      const rule = { requirement: 'COMPA-012', aspect: 'unknown-model', twin };
      refused(judge, exchange, { ...rule, codes: ['model_not_found'] });
    }
  },
});

export const otherModelsReachNoUpstream = defineCheck({
  id: 'compa.models.others-before-upstream',
  title: 'a request of compat path A for a model of another path reaches no upstream',
  requirements: ['COMPA-012'],
  kind: 'upstream',
  needs: ['compat.a', 'upstream.control'],
  run: async ({ cases, newScene, http, judge }) => {
    for (const { id } of chatCatalogue.filter(({ family }) => family !== 'beta')) {
      cases.count();
      const scene = newScene();
      const exchange = await http.compatA(scene.minimalA(id), { label: id });
      refused(judge, exchange, { requirement: 'COMPA-012', aspect: 'other-model', codes: otherKindCodes });
      await judgeNotForwarded(scene, 'COMPA-012', exchange);
    }
  },
});

function foreignModels(target: Target): string[] {
  const chat = chatCatalogue.filter(({ family }) => family !== 'beta').map(({ id }) => id);
  // Of an extra model only the name shows which path serves it.
  const extra = target.profile.chat.extra_models.map(({ id }) => id).filter((id) => !id.startsWith('beta-'));
  const others = Array.from({ length: 4 }, () => target.draw(otherModels));
  return [...new Set([...chat, ...extra, 'gamma-3-pro-image', ...others])];
}

function misspelt(id: string): string[] {
  return [id.toUpperCase(), ` ${id}`, `${id} `, `${id}-latest`, id.slice(0, -1), `models/${id}`];
}
