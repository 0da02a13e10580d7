import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Scene, UpstreamRequest } from '../../engine/scene.ts';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { readNative } from '../../oracle/native/read.ts';
import type { NativeView } from '../../oracle/native/view.ts';
import { must, Untestable } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** A chat request at the upstream, in its own words and in those that all dialects share. */
export interface NativeRequest extends UpstreamRequest {
  readonly view: NativeView;
}

/** The one request of a scene that reached the upstream. */
export async function nativeRequest(
  scene: Scene,
  requirement: string,
  exchange: Exchange,
): Promise<NativeRequest> {
  // The answer is there, so whatever was to reach the upstream has reached it.
  const [request] = await scene.requestsNow();
  must(request !== undefined, {
    requirement,
    aspect: 'reaches-upstream',
    expected: 'the request at the upstream, with its prompt unchanged',
    actual: 'no upstream request carries the prompt of this case',
    exchange,
  });
  return readRequest(request);
}

/** What is refused must not have reached an upstream: by the time of the answer it would have. */
export async function judgeNotForwarded(
  scene: Scene,
  requirement: string,
  exchange: Exchange,
): Promise<void> {
  must((await scene.requestsNow()).length === 0, {
    requirement,
    aspect: 'no-upstream-call',
    expected: 'no upstream request for what is refused',
    actual: 'one arrived',
    exchange,
  });
}

/** @throws Untestable when the upstream speaks no dialect that the suites can read. */
export function readRequest(request: UpstreamRequest): NativeRequest {
  const view = readNative(request.entry.request.path, request.text);
  if (view === null) throw new Untestable('an upstream of a known dialect');
  return { ...request, view };
}

/** Models whose simulated upstream is known by a native name: those that checks of the upstream's view run on. */
export function nativeModels(kit: CheckParts): readonly string[] {
  const known = Object.keys(kit.target.profile.upstream?.native_models ?? {});
  const models = kit.target.models.filter((id) => known.length === 0 || known.includes(id));
  return models.length === 0 ? kit.target.models : models;
}

/** One model of each family, drawn by seed: for checks that cost too much to run on every model. */
export function familyModels(kit: CheckParts): readonly string[] {
  return onePerFamily(kit, nativeModels(kit));
}

/** One of these models for each family that is among them, drawn by seed. */
export function onePerFamily(kit: CheckParts, models: readonly string[]): readonly string[] {
  return onePerGroup(kit, models, (id) => chatModel(id)?.family ?? id);
}

/** One model of each native dialect, drawn by seed: for the dear checks, and for answers in the upstream's own words. */
export function dialectModels(kit: CheckParts): readonly string[] {
  return onePerGroup(kit, nativeModels(kit), dialectOf);
}

function onePerGroup(kit: CheckParts, models: readonly string[], groupOf: (id: string) => string): string[] {
  const groups = Map.groupBy(models, groupOf);
  return [...groups.values()].map((ids) => kit.rng.pick(ids));
}

/** What reached the upstream, as evidence. */
export function shown(request: UpstreamRequest): string {
  return request.text.length > 1_500 ? `${request.text.slice(0, 1_500)}…` : request.text;
}
