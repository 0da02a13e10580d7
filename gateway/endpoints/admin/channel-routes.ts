import { z } from 'zod';
import { found } from '../../admin/change.ts';
import { changing } from '../../admin/changing.ts';
import { type PageQuery, pageOf, pageQuery, pageView } from '../../admin/page.ts';
import { channelDialects } from '../../catalogue/dialects.ts';
import { invalidParam } from '../../errors/gateway-error.ts';
import type { ChannelStates } from '../../routing/channels.ts';
import type { LiveChannel } from '../../routing/live-channel.ts';
import { drainChannel, restoreChannel } from '../../store/drained-channels.ts';
import { type AdminRoute, adminRoute } from './admin-route.ts';
import type { Administration } from './administration.ts';

const count = z.int().min(0);
const channelView = z.strictObject({
  id: z.string(),
  dialect: z.enum(channelDialects),
  account_id: z.string().nullable().describe('The account that it is private to; null for a shared one.'),
  drained: z.boolean().describe('Whether it takes no new call.'),
  models: z.array(
    z.strictObject({
      model: z.string(),
      state: z.enum(['closed', 'open', 'half-open']).describe('Its circuit breaker.'),
      condition: z
        .enum(['free', 'full', 'cooling', 'open', 'drained'])
        .describe('Whether it takes a call now; if not, why.'),
      in_flight: count,
      waiting: count.describe('Requests in its queue.'),
    }),
  ),
});

/** Routes for the channels of this process: their health, draining and restoring. */
export const channelRoutes: readonly AdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/api/admin/channels',
    summary: 'Lists the channels, with the state of each of their models.',
    query: pageQuery,
    answer: pageView(channelView),
    handle: async ({ admin, query }) => page(admin, query),
  }),
  adminRoute({
    method: 'POST',
    path: '/api/admin/channels/:channel/drain',
    summary: 'Drains a channel: it gets no new calls, and calls in flight continue.',
    answer: channelView,
    handle: async ({ admin, ids }) => {
      const { id } = channelIn(admin, ids.channel);
      const since = new Date(admin.clock.now());
      await changing(admin, ({ trx }) => drainChannel(trx, id, since));
      return viewOf(channelIn(admin, id));
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/api/admin/channels/:channel/restore',
    summary: 'Restores a drained channel.',
    answer: channelView,
    handle: async ({ admin, ids }) => {
      const { id } = channelIn(admin, ids.channel);
      await changing(admin, ({ trx }) => restoreChannel(trx, id));
      return viewOf(channelIn(admin, id));
    },
  }),
];

function page({ channels }: Administration, { limit, after }: PageQuery): object {
  const all = channels.all();
  const last = after === undefined ? -1 : all.findIndex(({ id }) => id === after);
  if (after !== undefined && last === -1)
    throw invalidParam('after', 'after must be the next of an earlier answer.');
  const start = last + 1;
  return pageOf(all.slice(start, start + limit + 1), limit, ({ id }) => id, viewOf);
}

function channelIn({ channels }: Administration, id: string | undefined): ChannelStates {
  return found(id === undefined ? undefined : channels.named(id)[0], 'channel');
}

function viewOf({ id, dialect, accountId, models }: ChannelStates): z.input<typeof channelView> {
  return {
    id,
    dialect,
    account_id: accountId,
    drained: models.some((live) => live.isDrained),
    models: models.map(viewOfModel),
  };
}

function viewOfModel(live: LiveChannel): z.input<typeof channelView>['models'][number] {
  return {
    model: live.facts.modelId,
    state: live.breakerState,
    condition: live.condition().kind,
    in_flight: live.inFlight,
    waiting: live.waiting,
  };
}
