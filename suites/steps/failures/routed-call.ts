import type { Reply } from '../../../simulators/control/client.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { Tenant } from '../../engine/parts/tenant.ts';
import type { Scene } from '../../engine/scene.ts';
import type { RouteProfile } from '../../profile/profile.ts';
import { Untestable } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** A model in one lane, with the names that the simulators have for its channels. */
export interface BreakerBudget {
  readonly tenant: Tenant;
  readonly model: string;
  /** Empty for a model whose channels nobody declared. */
  readonly channels: RouteProfile['channels'];
  readonly fallback: string | null;
}

/** A call with the channels that it went to, in their order. */
export interface RoutedCall {
  readonly scene: Scene;
  readonly exchange: Exchange;
  readonly channels: readonly string[];
}

/** An upstream's own failure, without a word about when to come back. */
export const serverFault: Reply = { status: 500, body: { error: { message: 'Something broke.' } } };

/** The declared models of one kind. */
export function routesOf(target: Target, kind: RouteProfile['kind']): RouteProfile[] {
  return (target.profile.upstream?.routes ?? []).filter((route) => route.kind === kind);
}

/** Each of the models in each lane of the check: one after the other, so that neighbours are in different lanes. */
export function breakerBudgetsOf(
  tenants: CheckParts['tenants'],
  models: readonly (string | RouteProfile)[],
): BreakerBudget[] {
  return models.flatMap((model) =>
    tenants.map((tenant) => {
      if (typeof model === 'string') return { tenant, model, channels: [], fallback: null };
      return { tenant, model: model.model, channels: model.channels, fallback: model.fallback ?? null };
    }),
  );
}

/** Calls a model. `replies` are by channel; `*` is for all channels that have none of their own. */
export async function routedCall(
  { tenant, model }: BreakerBudget,
  replies: Readonly<Record<string, readonly Reply[]>>,
  options: { label: string; stream?: boolean; key?: string },
): Promise<RoutedCall> {
  const scene = tenant.newScene();
  for (const [channel, script] of Object.entries(replies).sort(([a], [b]) => a.length - b.length)) {
    if (channel === '*') await scene.script(...script);
    else await scene.scriptOn(channel, ...script);
  }
  const { label, stream, key } = options;
  const body = { ...scene.minimal(model), ...(stream === true ? { stream } : {}) };
  const exchange = await tenant.http.chat(body, { label, ...(key === undefined ? {} : { key }) });
  return { scene, exchange, channels: await channelsOf(scene) };
}

/** The channels that the requests of a scene have reached so far. */
export async function channelsOf(scene: Scene): Promise<string[]> {
  return (await scene.requestsNow()).map(({ entry }) => entry.channel);
}

/** The channel of the list that is not this one. */
export function otherThan({ channels }: BreakerBudget, name: string): string {
  const other = channels.find((channel) => channel.name !== name);
  if (other === undefined) throw new Untestable('upstream.routes with two channels');
  return other.name;
}

/** The item at this place; places go round. */
export function at<T>(items: readonly T[], place: number): T {
  const item = items[place % items.length];
  if (item === undefined) throw new Untestable('a model of this kind');
  return item;
}
