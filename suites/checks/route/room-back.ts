import { defineCheck } from '../../engine/check.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { routesOf } from '../../steps/failures/routed-call.ts';
import { coreProtocol } from '../../steps/protocols/protocol.ts';
import { judgeRoomBack } from '../../steps/ways/room-back.ts';
import { chatWay } from '../../steps/ways/way-in.ts';

export const roomComesBack = defineCheck({
  id: 'route.full.room-back',
  title: 'a channel that takes one call at a time is free again however the previous call ended',
  requirements: ['ROUTE-010'],
  kind: 'concurrency',
  needs: ['upstream.control', 'upstream.routes.narrow'],
  run: async (parts) => {
    // Models of the compat paths are called on those paths.
    const [route] = routesOf(parts.target, 'narrow');
    if (route === undefined) return;
    const { model, channels } = route;
    const rule = { requirement: 'ROUTE-010', aspect: 'free-again' };
    for (const stream of [false, true]) {
      const way = chatWay(coreProtocol, model, stream);
      await judgeRoomBack(parts, way, channels[0]?.dialect ?? dialectOf(model), rule);
    }
  },
});
