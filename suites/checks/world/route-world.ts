import { defineCheck } from '../../engine/check.ts';
import { type Play, playAll, type Theatre } from '../../histories/play-all.ts';
import { easeRoute, playRoute, type RouteStage, setRouteStage } from '../../histories/play-routes.ts';
import { type RouteHistory, routeHistories } from '../../histories/route-history.ts';
import { Untestable } from '../../rules/violation.ts';

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
    const { routes: all = [] } = parts.target.profile.upstream ?? {};
    // Channels of a lower rank are seldom asked: nobody knows when their breakers close.
    const routes = all.filter(({ kind }) => kind !== 'narrow' && kind !== 'ranked');
    if (routes.length === 0) throw new Untestable('upstream.routes');
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
