import type { Kit } from '../../engine/kit.ts';
import type { Scene, UpstreamRequest } from '../../engine/scene.ts';
import { must, Untestable } from '../../engine/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** The one request of a scene that reached the upstream, where that speaks the chat-completions dialect. */
export async function nativeRequest(
  scene: Scene,
  requirement: string,
  exchange: Exchange,
): Promise<UpstreamRequest> {
  // The answer is there, so whatever was to reach the upstream has reached it.
  const [request] = await scene.requestsNow();
  must(request !== undefined, {
    requirement,
    aspect: 'reaches-upstream',
    expected: 'the request at the upstream, with its prompt unchanged',
    actual: 'no upstream request carries the prompt of this case',
    exchange,
  });
  if (!request.entry.request.path.endsWith('/chat/completions'))
    throw new Untestable('an upstream of the chat-completions dialect');
  return request;
}

/** Models whose simulated upstream is known by a native name: those that checks of the upstream's view run on. */
export function nativeModels(kit: Kit): readonly string[] {
  const known = Object.keys(kit.profile.upstream?.native_models ?? {});
  const models = kit.models.filter((id) => known.length === 0 || known.includes(id));
  return models.length === 0 ? kit.models : models;
}

/** What reached the upstream, as evidence. */
export function shown(request: UpstreamRequest): string {
  return request.text.length > 1_500 ? `${request.text.slice(0, 1_500)}…` : request.text;
}
