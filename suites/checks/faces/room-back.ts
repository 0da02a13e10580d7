import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { Untestable } from '../../rules/violation.ts';
import { routesOf } from '../../steps/failures/routed-call.ts';
import type { Protocol } from '../../steps/protocols/protocol.ts';
import { compatOf, streamsOn } from '../../steps/protocols/protocol-model.ts';
import { mayServe, servesRoute } from '../../steps/protocols/said.ts';
import { judgeRoomBack } from '../../steps/ways/room-back.ts';
import { chatWay } from '../../steps/ways/way-in.ts';

const requirement = 'ROUTE-010';

export const roomComesBackOnCompat = defineCheck({
  id: 'faces.full.room-back',
  title: 'on compat paths too a channel with room for one call is free again however the last one ended',
  requirements: [requirement],
  kind: 'concurrency',
  needs: ['upstream.control', 'upstream.routes.narrow'],
  run: async (parts) => {
    const judged = await Promise.all(
      compatOf(parts).map(({ protocol, models }) => judgeProtocol(parts, protocol, models[0])),
    );
    if (!judged.includes(true))
      throw new Untestable('upstream.routes with a narrow one whose model a compat path serves');
  },
});

/** Returns false where the compat path serves no such model. `known` is a model of the catalogue. */
async function judgeProtocol(parts: CheckParts, protocol: Protocol, known: string): Promise<boolean> {
  const route = routesOf(parts.target, 'narrow').find(
    ({ model, channels }) =>
      mayServe(protocol, model) && channels.every(({ dialect }) => dialect === protocol.dialect),
  );
  if (route === undefined || !(await servesRoute(parts, { protocol, model: route.model }))) return false;
  const forms = (await streamsOn(parts, { protocol, model: known })) ? [false, true] : [false];
  const rule = { requirement, aspect: 'free-again-on-compat' };
  for (const stream of forms)
    await judgeRoomBack(parts, chatWay(protocol, route.model, stream), protocol.dialect, rule);
  return true;
}
