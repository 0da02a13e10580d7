import type { Target } from '../../engine/parts/target.ts';
import type { Scene } from '../../engine/scene.ts';
import type { UpstreamRequest } from '../../engine/upstream-request.ts';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { readNative } from '../../oracle/native/read.ts';
import type { NativeView } from '../../oracle/native/view.ts';
import { must, Untestable } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** A chat request at the upstream, in its native form and in the common form of all dialects. */
export interface NativeRequest extends UpstreamRequest {
  readonly view: NativeView;
}

/** The one request of a scene that reached the upstream. */
export async function nativeRequest(
  scene: Scene,
  requirement: string,
  exchange: Exchange,
): Promise<NativeRequest> {
  // The answer has arrived, so the request has reached the upstream if it ever does.
  const [request] = await scene.requestsNow();
  const expected = 'the request at the upstream, with its prompt unchanged';
  const actual = 'no upstream request carries the prompt of this case';
  must(request !== undefined, { requirement, aspect: 'reaches-upstream', expected, actual, exchange });
  return readRequest(request);
}

/** Judges that a refused request did not reach an upstream. It would have arrived before the answer. */
export async function judgeNotForwarded(
  scene: Scene,
  requirement: string,
  exchange: Exchange,
): Promise<void> {
  must((await scene.requestsNow()).length === 0, {
    requirement,
    aspect: 'no-upstream-call',
    expected: 'no upstream request for a refused call',
    actual: 'one arrived',
    exchange,
  });
}

/** @throws Untestable when the upstream's dialect is not one that the suites can read. */
export function readRequest(request: UpstreamRequest): NativeRequest {
  const view = readNative(request.entry.request.path, request.text);
  if (view === null) throw new Untestable('an upstream of a known dialect');
  return { ...request, view };
}

/** Models with a native name at their simulated upstream, for checks of what the upstream sees. */
export function nativeModels(target: Target): readonly string[] {
  const known = Object.keys(target.profile.upstream?.native_models ?? {});
  const models = target.models.filter((id) => known.length === 0 || known.includes(id));
  return models.length === 0 ? target.models : models;
}

/** One model of each family, drawn by seed, for checks that are too expensive to run on every model. */
export function familyModels(target: Target): readonly string[] {
  return onePerFamily(target, nativeModels(target));
}

/** One of these models for each family among them, drawn by seed. */
export function onePerFamily(target: Target, models: readonly string[]): readonly string[] {
  return onePerGroup(target, models, (id) => chatModel(id)?.family ?? id);
}

/** One model of each native dialect, drawn by seed, for expensive checks and for answers in native form. */
export function dialectModels(target: Target): readonly string[] {
  return onePerGroup(target, nativeModels(target), dialectOf);
}

/** The upstream request, as evidence. */
export function shown(request: Pick<UpstreamRequest, 'text'>): string {
  return request.text.length > 1_500 ? `${request.text.slice(0, 1_500)}…` : request.text;
}

function onePerGroup(
  target: Target,
  models: readonly string[],
  groupOf: (id: string) => string,
): readonly string[] {
  const groups = Map.groupBy(models, groupOf);
  return target.few([...groups.values()].map((ids) => target.draw(ids)));
}

/** A native body without the model name, which may differ between channels. */
export function nameless(text: string): object {
  return { ...(JSON.parse(text) as object), model: undefined };
}
