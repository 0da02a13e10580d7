import { defineCheck } from '../../engine/check.ts';
import { chatModel, otherModels } from '../../oracle/chat-catalogue.ts';
import { otherKindCodes } from '../../oracle/error-table.ts';
import { judgeNotForwarded } from '../../steps/chat/upstream-view.ts';
import { refusedB } from './refused.ts';
import { formsB, gammaModel, twinB } from './served.ts';

const requirement = 'COMPB-012';

export const otherFamilies = defineCheck({
  id: 'compb.models.other-families',
  title: 'models of other families and the gamma image model are refused on compat path B',
  requirements: [requirement],
  kind: 'example',
  needs: ['compat.b'],
  run: async (parts) => {
    const { target, cases, http, newScene, judge } = parts;
    const twin = await twinB(parts, gammaModel(target));
    const chats = target.models.filter((id) => chatModel(id)?.family !== 'gamma');
    for (const model of target.few([...chats, ...otherModels])) {
      for (const stream of await formsB(parts)) {
        cases.count();
        const exchange = await http.compatB(model, newScene().minimalB(), {
          stream,
          label: `model ${model}`,
        });
        refusedB(judge, exchange, { requirement, aspect: 'other-refused', codes: otherKindCodes, twin });
      }
    }
  },
});

export const noUpstream = defineCheck({
  id: 'compb.models.refused-before-upstream',
  title: 'a model that compat path B does not serve reaches no upstream',
  requirements: [requirement],
  kind: 'upstream',
  needs: ['compat.b', 'upstream.control'],
  run: async ({ target, cases, newScene, http, judge }) => {
    const chats = target.models.filter((id) => chatModel(id)?.family !== 'gamma');
    for (const model of [...chats, 'gamma-3-pro-image']) {
      cases.count();
      const scene = newScene();
      const exchange = await http.compatB(model, scene.minimalB(), { label: `model ${model}` });
      refusedB(judge, exchange, { requirement, aspect: 'other-refused', codes: otherKindCodes });
      await judgeNotForwarded(scene, requirement, exchange);
    }
  },
});
