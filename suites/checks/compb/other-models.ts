import { type Check, defineCheck } from '../../engine/check.ts';
import { chatModel, otherModels } from '../../oracle/chat-catalogue.ts';
import { otherKindCodes } from '../../oracle/error-table.ts';
import { judgeNotForwarded } from '../../steps/chat/upstream-view.ts';
import { refusedB } from './refused.ts';
import { formsB, gammaModel, twinB } from './served.ts';

const rule = 'COMPB-012';

const otherFamilies = defineCheck({
  id: 'compb.models.other-families',
  title:
    'models of other families, and the gamma image model, are refused on compat path B, plain and streamed',
  requirements: [rule],
  kind: 'example',
  needs: ['compat.b'],
  run: async (kit) => {
    const twin = await twinB(kit, gammaModel(kit));
    const chats = kit.target.models.filter((id) => chatModel(id)?.family !== 'gamma');
    for (const model of [...chats, ...otherModels]) {
      for (const stream of await formsB(kit)) {
        kit.cases.count();
        const exchange = await kit.http.compatB(model, kit.newScene().minimalB(), {
          stream,
          label: `model ${model}`,
        });
        refusedB(kit, exchange, { requirement: rule, aspect: 'other-refused', codes: otherKindCodes, twin });
      }
    }
  },
});

const noUpstream = defineCheck({
  id: 'compb.models.refused-before-upstream',
  title: 'a model that compat path B does not serve reaches no upstream',
  requirements: [rule],
  kind: 'upstream',
  needs: ['compat.b', 'upstream.control'],
  run: async (kit) => {
    const chats = kit.target.models.filter((id) => chatModel(id)?.family !== 'gamma');
    for (const model of [...chats, 'gamma-3-pro-image']) {
      kit.cases.count();
      const scene = kit.newScene();
      const exchange = await kit.http.compatB(model, scene.minimalB(), { label: `model ${model}` });
      refusedB(kit, exchange, { requirement: rule, aspect: 'other-refused', codes: otherKindCodes });
      await judgeNotForwarded(scene, rule, exchange);
    }
  },
});

export const otherModelChecks: readonly Check[] = [otherFamilies, noUpstream];
