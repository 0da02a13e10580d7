import { defineCheck } from '../../engine/check.ts';
import { nativeRequests, withMarker } from '../../generators/compat/native-request.ts';
import { judgeArrival, rowsOfArrival } from './arrival.ts';
import { betaModel, seeingModel } from './message-calls.ts';

export const requestsArrive = defineCheck({
  id: 'compa.request.arrives',
  title:
    'any legal native request reaches the upstream as it was sent: turns, system, tools, calls, results, hints and fields, numbers digit by digit',
  requirements: rowsOfArrival,
  kind: 'property',
  needs: ['compat.a', 'upstream.control'],
  run: async (kit) => {
    await kit.cases.forAll(
      nativeRequests,
      async (request) => {
        const scene = kit.newScene();
        const model = request.hasImage ? seeingModel(kit) : betaModel(kit);
        await judgeArrival(kit, scene, withMarker(request, model, scene.marker), 'COMPA-003');
      },
      { quick: 25, full: 150 },
    );
  },
});
