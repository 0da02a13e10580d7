import { defineCheck } from '../../engine/check.ts';
import { type Play, playAll, type Theatre } from '../../histories/play-all.ts';
import { easeRoute, playRoute, type RouteStage, setRouteStage } from '../../histories/play-routes.ts';
import { type RouteHistory, routeHistories } from '../../histories/route-history.ts';
import { routesOf } from '../../steps/failures/routed-call.ts';

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
    // Most routes that are drawn have a fallback. Channels of a lower rank would be asked too seldom to be known.
    const kinds = ['pair', 'trio', 'fallback', 'fallback'] as const;
    const routes = kinds.flatMap((kind) => routesOf(parts.target, kind));
    const theatre: Theatre = { parts, used: new Set() };
    const play: Play<RouteHistory, RouteStage> = {
      set: (own, time, history) => setRouteStage(own, time, routes, history),
      ease: easeRoute,
      play: playRoute,
    };
    await parts.cases.forAllTogether(routeHistories, (some) => playAll(theatre, some, play), {
      ...{ quick, full: 40 * quick, smoke: 2 },
      shrinkMs: parts.cases.full ? 60_000 : 15_000,
    });
  },
});
