import type { Profile } from '../profile/profile.ts';
import { compatA, compatB, coreProtocol, type Protocol } from '../steps/protocols/protocol.ts';
import { mayServe } from '../steps/protocols/said.ts';
import type { WireClient } from '../wire/client.ts';
import { mediaType } from '../wire/exchange.ts';
import { bodyFor, type DrillProtocol, requestOf } from './call-protocol.ts';

/** A protocol that serves a model; compat paths need not stream (reading B-91). */
export interface OpenProtocol {
  readonly protocol: DrillProtocol;
  readonly streams: boolean;
}

/** Detects, while the upstreams are healthy, which protocols serve the models of a drill. */
export async function openProtocols(
  client: WireClient,
  { absent }: Pick<Profile, 'absent'>,
  key: string,
  models: readonly string[],
): Promise<Map<string, readonly OpenProtocol[]>> {
  const looked = models.map(async (model): Promise<[string, readonly OpenProtocol[]]> => {
    const compat = [compatA, compatB].filter((one) => mayServe(one, model) && !isAbsent(one, absent));
    const found = await Promise.all(compat.map(({ name }) => look(client, key, { name, model })));
    return [model, [{ protocol: coreProtocol.name, streams: true }, ...found.flatMap((one) => one ?? [])]];
  });
  return new Map(await Promise.all(looked));
}

function isAbsent({ fact }: Protocol, absent: readonly string[]): boolean {
  return fact !== null && absent.includes(fact);
}

async function look(
  client: WireClient,
  key: string,
  { name, model }: { readonly name: DrillProtocol; readonly model: string },
): Promise<OpenProtocol | null> {
  for (const isStream of [true, false]) {
    const said = { model, isStream, system: null, turns: ['Good day.'], metadata: null };
    const call = { protocol: name, model, isStream, body: bodyFor(name, said) };
    const exchange = await client.send(requestOf(call, `a look at ${name}`, key));
    const isServed = exchange.response?.status === 200;
    if (isServed && (!isStream || mediaType(exchange) === 'text/event-stream'))
      return { protocol: name, streams: isStream };
  }
  return null;
}
