import { defineCheck } from '../../engine/check.ts';
import { fullTimes, type Play, playAll, type Theatre } from '../../histories/play-all.ts';
import { easeRoute, playRoute, type RouteStage, setRouteStage } from '../../histories/play-routes.ts';
import { reachOfRoute } from '../../histories/reach.ts';
import { type RouteHistory, retold, routeHistories } from '../../histories/route-history.ts';
import { routesOf } from '../../steps/failures/routed-call.ts';
import { compatProtocols } from '../../steps/protocols/protocol.ts';
import { mayServe } from '../../steps/protocols/said.ts';

const quick = 8;

export const routesFallBackInOrder = defineCheck({
  id: 'world.fallback',
  title:
    'over generated histories of routes own channels are asked first and again, then the fallback, which is named',
  requirements: [
    ...(['ROUTE-003', 'RESP-005', 'ROUTE-002', 'ROUTE-008', 'ROUTE-009', 'ROUTE-011'] as const),
    ...['ROUTE-013', 'ROUTE-014', 'ERR-029'],
  ],
  kind: 'property',
  needs: ['upstream.control', 'upstream.breaker', 'upstream.routes.fallback', 'time'],
  clock: 'jump',
  tenants: { quick, full: 32 },
  run: async (parts) => {
    // Most random routes have a fallback. Channels of lower rank would get too few calls to be observed.
    const kinds = ['pair', 'trio', 'fallback', 'fallback'] as const;
    const routes = kinds.flatMap((kind) => routesOf(parts.target, kind));
    // Upstreams of another dialect than the caller's: what the conversation has so far is said in other words.
    const examples = routes.flatMap(({ kind, model }, draw) =>
      kind === 'trio' && compatProtocols.some((one) => mayServe(one, model)) ? [{ draw, steps: retold }] : [],
    );
    const theatre: Theatre = { parts, used: new Set() };
    const play: Play<RouteHistory, RouteStage> = {
      set: (own, time, history) => setRouteStage(own, time, routes, history),
      ease: easeRoute,
      play: playRoute,
    };
    await parts.cases.forAllTogether(routeHistories, (some) => playAll(theatre, some, play), {
      ...{ quick: quick - examples.length, full: fullTimes * quick, smoke: 2, examples },
      reachOf: reachOfRoute,
      shrinkMs: parts.cases.full ? 60_000 : 15_000,
    });
  },
});
