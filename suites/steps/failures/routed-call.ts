import type { Reply } from 'gatecheck-simulators/client';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { Tenant } from '../../engine/parts/tenant.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { Scene } from '../../engine/scene.ts';
import type { RouteProfile } from '../../profile/profile.ts';
import { Untestable } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** A model of one tenant, with the simulators' names of its channels. */
export interface BreakerBudget {
  readonly tenant: Tenant;
  readonly model: string;
  /** Empty for a model whose channels the profile does not declare. */
  readonly channels: RouteProfile['channels'];
  readonly fallback: string | null;
  /** Whether the model and its fallback accept images. */
  readonly vision: boolean;
  /** Whether the model accepts images and its fallback does not. */
  readonly lacksVision: boolean;
  /** The context window of its fallback in tokens, where that is much smaller than its own. */
  readonly smallWindow?: number | undefined;
}

/** A call with the channels that it reached, in order. */
export interface RoutedCall {
  readonly scene: Scene;
  readonly exchange: Exchange;
  readonly channels: readonly string[];
}

/** A failure of the upstream itself, without a `Retry-After`. */
export const serverFault: Reply = { status: 500, body: { error: { message: 'Something broke.' } } };

/** Scripts a good answer after failures: after the first one, or after all named channels have failed. */
export async function scriptSecond(scene: Scene, failing: readonly string[], good: Reply): Promise<void> {
  await scene.script(...(failing.length === 0 ? [serverFault, good] : [good]));
  for (const name of failing) await scene.scriptOn(name, serverFault);
}

/** The declared models of one kind. */
export function routesOf(target: Target, kind: RouteProfile['kind']): RouteProfile[] {
  return (target.profile.upstream?.routes ?? []).filter((route) => route.kind === kind);
}

/** Each model for each tenant of the check, ordered so that neighbours belong to different tenants. */
export function breakerBudgetsOf(
  tenants: CheckParts['tenants'],
  models: readonly (string | RouteProfile)[],
): BreakerBudget[] {
  return models.flatMap((model) =>
    tenants.map((tenant) => {
      if (typeof model === 'string')
        return { tenant, model, channels: [], fallback: null, vision: false, lacksVision: false };
      const { channels, fallback = null, vision = false, fallback_lacks_vision: lacksVision = false } = model;
      const { fallback_context_tokens: smallWindow } = model;
      return { tenant, model: model.model, channels, fallback, vision, lacksVision, smallWindow };
    }),
  );
}

/** Calls a model. `replies` are by channel; `*` applies to all channels without their own reply. */
export async function routedCall(
  { tenant, model }: BreakerBudget,
  replies: Readonly<Record<string, readonly Reply[]>>,
  options: { label: string; stream?: boolean; key?: string; picture?: string; before?: string },
): Promise<RoutedCall> {
  const scene = tenant.newScene();
  for (const [channel, script] of Object.entries(replies).sort(([a], [b]) => a.length - b.length)) {
    if (channel === '*') await scene.script(...script);
    else await scene.scriptOn(channel, ...script);
  }
  const { label, stream, key, picture, before } = options;
  const body = {
    ...(picture === undefined ? scene.minimal(model) : withPicture(scene, model, picture)),
    ...(before === undefined ? {} : { messages: talkAfter(before, scene), max_tokens: 64 }),
    ...(stream === true ? { stream } : {}),
  };
  const exchange = await tenant.http.chat(body, { label, ...(key === undefined ? {} : { key }) });
  return { scene, exchange, channels: await channelsOf(scene) };
}

/** A conversation that begins with a text. */
function talkAfter(before: string, scene: Scene): JsonObject[] {
  return [
    { role: 'user', content: before },
    { role: 'assistant', content: 'So it was.' },
    { role: 'user', content: scene.prompt() },
  ];
}

function withPicture(scene: Scene, model: string, url: string): JsonObject & { model: string } {
  const content = [
    { type: 'text', text: scene.prompt() },
    { type: 'image_url', image_url: { url } },
  ];
  return { model, messages: [{ role: 'user', content }] };
}

/** The channels that the requests of a scene have reached so far. */
export async function channelsOf(scene: Scene): Promise<string[]> {
  return (await scene.requestsNow()).map(({ entry }) => entry.channel);
}

/** Any channel of the list except this one. */
export function otherThan({ channels }: BreakerBudget, name: string): string {
  const other = channels.find((channel) => channel.name !== name);
  if (other === undefined) throw new Untestable('upstream.routes with two channels');
  return other.name;
}

/** The item at this index, which wraps around. */
export function at<T>(items: readonly T[], place: number): T {
  const item = items[place % items.length];
  if (item === undefined) throw new Untestable('a model of this kind');
  return item;
}
