import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { chatCatalogue, otherModels } from '../../oracle/chat-catalogue.ts';
import { otherKindCodes } from '../../oracle/error-table.ts';
import { judgeNotForwarded } from '../../steps/chat/upstream-view.ts';
import { answered, betaModel, betaModels, refused } from './message-calls.ts';

export const noOtherModel = defineCheck({
  id: 'compa.models.others',
  title:
    'a model that is no beta model, one that does not exist, and a beta id in another spelling are refused on compat path A',
  requirements: ['COMPA-012'],
  kind: 'example',
  needs: ['compat.a'],
  run: async (kit) => {
    const minimal = kit.newScene().minimalA(betaModel(kit));
    const twin = await kit.http.compatA(minimal, { label: 'positive twin' });
    answered(kit, twin, minimal, { requirement: 'COMPA-012', aspect: 'twin-served' });
    for (const model of foreignModels(kit)) {
      for (const stream of [false, true]) {
        kit.cases.count();
        const body = { ...kit.newScene().minimalA(model), ...(stream ? { stream } : {}) };
        const exchange = await kit.http.compatA(body, { label: `${model}${stream ? ', streamed' : ''}` });
        const rule = { requirement: 'COMPA-012', aspect: 'other-model', twin };
        refused(kit, exchange, { ...rule, codes: otherKindCodes, param: 'model', paramRule: 'COMPA-012' });
      }
    }
    for (const model of [`beta-${kit.rng.hex(6)}`, ...betaModels(kit).flatMap(misspelt)]) {
      kit.cases.count();
      const exchange = await kit.http.compatA(kit.newScene().minimalA(model), {
        label: JSON.stringify(model),
      });
      const rule = { requirement: 'COMPA-012', aspect: 'unknown-model', twin };
      refused(kit, exchange, { ...rule, codes: ['model_not_found'] });
    }
  },
});

export const otherModelsReachNoUpstream = defineCheck({
  id: 'compa.models.others-before-upstream',
  title: 'a request of compat path A for a model of another path reaches no upstream',
  requirements: ['COMPA-012'],
  kind: 'upstream',
  needs: ['compat.a', 'upstream.control'],
  run: async (kit) => {
    for (const { id } of chatCatalogue.filter(({ family }) => family !== 'beta')) {
      kit.cases.count();
      const scene = kit.newScene();
      const exchange = await kit.http.compatA(scene.minimalA(id), { label: id });
      refused(kit, exchange, { requirement: 'COMPA-012', aspect: 'other-model', codes: otherKindCodes });
      await judgeNotForwarded(scene, 'COMPA-012', exchange);
    }
  },
});

function foreignModels(kit: CheckParts): string[] {
  const chat = chatCatalogue.filter(({ family }) => family !== 'beta').map(({ id }) => id);
  // Of a model beside the catalogue only the name tells to which path it belongs.
  const extra = kit.target.profile.chat.extra_models
    .map(({ id }) => id)
    .filter((id) => !id.startsWith('beta-'));
  const others = Array.from({ length: 4 }, () => kit.rng.pick(otherModels));
  return [...new Set([...chat, ...extra, 'gamma-3-pro-image', ...others])];
}

function misspelt(id: string): string[] {
  return [id.toUpperCase(), ` ${id}`, `${id} `, `${id}-latest`, id.slice(0, -1), `models/${id}`];
}
