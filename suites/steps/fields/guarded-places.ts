import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { Scene } from '../../engine/scene.ts';
import { doubtfulUrls, harmlessHosts, privateHosts } from '../../generators/guarded-hosts.ts';
import { must, part } from '../../rules/violation.ts';
import { type Exchange, isSuccess, outcomeOf } from '../../wire/exchange.ts';
import { inTurns } from './in-turns.ts';

/** A place in a body where upstreams expect the URL of a file to fetch. */
export interface GuardedPlace {
  readonly name: string;
  /** A whole body, with the prompt of a scene and a link in this place. */
  bodyWith(prompt: string, url: string): JsonObject;
}

interface GuardedCalls {
  readonly requirement: string;
  readonly places: readonly GuardedPlace[];
  send(body: JsonObject, label: string): Promise<Exchange>;
}

const publicUrl = 'https://media.example.com/files/sea.jpg';

/**
 * Judges each link field of a protocol. Links to private hosts must be refused in every spelling, and links to public hosts
 * must not. If even a public link is refused, private links must at least not reach the upstream.
 */
export async function judgeGuardedPlaces(parts: CheckParts, calls: GuardedCalls): Promise<void> {
  for (const place of calls.places) await part(() => judgePlace(parts, calls, place));
}

async function judgePlace(parts: CheckParts, calls: GuardedCalls, place: GuardedPlace): Promise<void> {
  const { cases, rng, target, judge } = parts;
  const { exchange: twin } = await sendLink(parts, calls, place, publicUrl);
  const isServed = isSuccess(twin);
  if (!isServed) judge.note(`a link ${place.name} is not served: ${outcomeOf(twin)}`);
  const hosts = cases.full ? privateHosts : rng.shuffle(privateHosts).slice(0, 6);
  const refused = [...doubtfulUrls, ...hosts.map((host) => `https://${host}/sea.png`)];
  await inTurns(target, refused, async (url) => {
    const { exchange, scene } = await sendLink(parts, calls, place, url);
    const rule = { requirement: calls.requirement, aspect: 'private-refused', twin };
    judge.refused(exchange, {
      ...rule,
      codes: isServed ? ['invalid_param'] : ['invalid_param', 'unsupported_capability'],
    });
    if (target.profile.upstream === undefined) return;
    const reached = [...(await scene.requestsNow()), ...(await scene.countingCalls())];
    must(reached.length === 0, {
      ...rule,
      aspect: 'private-kept',
      expected: `nothing at the upstream of a link ${place.name} to a private address`,
      actual: `${reached.length} requests: ${reached[0]?.text.slice(0, 200)}`,
      exchange,
    });
  });
  if (!isServed) return;
  const harmless = cases.full ? harmlessHosts : rng.shuffle(harmlessHosts).slice(0, 2);
  await inTurns(target, harmless, async (host) => {
    const { exchange } = await sendLink(parts, calls, place, `https://${host}/sea.png`);
    must(isSuccess(exchange), {
      requirement: calls.requirement,
      aspect: 'public-accepted',
      expected: `an answer to a link ${place.name} to ${host}, which is public`,
      actual: outcomeOf(exchange),
      exchange,
      twin,
    });
  });
}

async function sendLink(
  { cases, newScene }: CheckParts,
  { send }: GuardedCalls,
  { name, bodyWith }: GuardedPlace,
  url: string,
): Promise<{ readonly scene: Scene; readonly exchange: Exchange }> {
  cases.count();
  const scene = newScene();
  const exchange = await send(bodyWith(scene.prompt(), url), `a link ${name}: ${JSON.stringify(url)}`);
  return { scene, exchange };
}
