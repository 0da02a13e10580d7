import { defineCheck } from '../../engine/check.ts';
import { nativeRequests, withMarker } from '../../generators/compat/native-request.ts';
import { judgeArrival, rowsOfArrival } from './arrival.ts';
import { betaModel, seeingModel } from './message-calls.ts';

export const requestsArrive = defineCheck({
  id: 'compa.request.arrives',
  title: 'any legal native request reaches the upstream unchanged, numbers included',
  requirements: rowsOfArrival,
  kind: 'property',
  needs: ['compat.a', 'upstream.control'],
  run: async (parts) => {
    const { cases, newScene, target } = parts;
    await cases.forAll(
      nativeRequests,
      async (request) => {
        const scene = newScene();
        const model = request.hasImage ? seeingModel(target) : betaModel(target);
        await judgeArrival(parts, scene, withMarker(request, model, scene.marker), 'COMPA-003');
      },
      { quick: 25, full: 150 },
    );
  },
});
