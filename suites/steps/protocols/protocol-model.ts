import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import { Untestable } from '../../rules/violation.ts';
import { type Exchange, jsonOf, mediaType } from '../../wire/exchange.ts';
import { keepClosedBy } from '../failures/breaker-budget.ts';
import { compatProtocols, coreProtocol, type Protocol } from './protocol.ts';

/** A compat protocol with a model that the caller may use. */
export interface ProtocolModel {
  readonly protocol: Protocol;
  readonly model: string;
}

/** The compat protocols that the profile does not list as absent. */
export function compatThere({ profile }: Pick<Target, 'profile'>): readonly Protocol[] {
  return compatProtocols.filter(({ fact }) => fact === null || !profile.absent.includes(fact));
}

/**
 * The compat protocols of the deployment, each with its models in an order drawn by seed. Protocols that the
 * profile lists as absent are omitted.
 * @throws Untestable when none is left.
 */
export function compatOf({
  target,
  rng,
  judge,
}: CheckParts): { readonly protocol: Protocol; readonly models: readonly [string, ...string[]] }[] {
  const there = compatThere(target);
  const found = there.flatMap((protocol) => {
    const [first, ...rest] = rng.shuffle(target.nativeModels.filter((model) => protocol.serves(model)));
    if (first === undefined) judge.note(`no model of ${protocol.name} is enabled`);
    return first === undefined ? [] : [{ protocol, models: [first, ...rest] as const }];
  });
  if (found.length === 0) throw new Untestable(there.length === 0 ? 'compat.a' : 'a model of a compat path');
  return found.map(({ protocol, models: [first, ...rest] }) => ({ protocol, models: [first, ...rest] }));
}

/**
 * One model for this protocol.
 * @throws Untestable when none is enabled.
 */
export function protocolModelOf(target: Target, protocol: Protocol): ProtocolModel {
  const models = target.nativeModels.filter((model) => protocol.serves(model));
  if (models.length === 0) throw new Untestable(`a model of ${protocol.name}`);
  return { protocol, model: target.draw(models) };
}

/** The core protocol, if it is there, and the compat protocols, each with a model. */
export function protocolModelsOf(parts: CheckParts): readonly [ProtocolModel, ...ProtocolModel[]] {
  const [first, ...rest] = compatOf(parts).map(
    ({ protocol, models: [model] }): ProtocolModel => ({ protocol, model }),
  );
  const compat = [first as ProtocolModel, ...rest] as const;
  if (!parts.target.hasChat) return compat;
  return [{ protocol: coreProtocol, model: parts.target.anyModel() }, ...compat];
}

/**
 * Whether a compat protocol streams, which is optional (reading B-91). A clean refusal is fine and is noted. The
 * call is made once.
 */
export async function streamsOn(
  { newScene, http, judge }: CheckParts,
  { protocol, model }: ProtocolModel,
): Promise<boolean> {
  if (protocol.fact === null) return true;
  const body = protocol.body(newScene(), { model });
  const exchange = await protocol.send(http, model, body, {
    label: `${protocol.name}, does it stream?`,
    stream: true,
  });
  if (mediaType(exchange) === 'text/event-stream' || !isWithout(exchange)) return true;
  judge.note(`${protocol.name} does not stream`);
  return false;
}

/** Both forms of a call on this protocol, or only the plain form if it does not stream. */
export async function formsOn(parts: CheckParts, protocolModel: ProtocolModel): Promise<readonly boolean[]> {
  return (await streamsOn(parts, protocolModel)) ? [false, true] : [false];
}

function isWithout(exchange: Exchange): boolean {
  const { code, param } = (jsonOf(exchange) as { error?: Record<string, unknown> } | undefined)?.error ?? {};
  const status = exchange.response?.status;
  return (
    status === 404 || (status === 400 && code === 'invalid_param' && (param === 'stream' || param === null))
  );
}

/**
 * Call this before a call that will fail at the upstream. It makes as many good calls as a breaker needs to stay
 * closed, on the failing protocol and on the core path. So it does not matter whether a deployment has one breaker
 * for both. `coming` is the number of attempts that may fail.
 */
export async function keepProtocolClosed(
  parts: CheckParts,
  { protocol, model }: ProtocolModel,
  coming = 2,
): Promise<void> {
  const { http, newScene, target } = parts;
  await keepClosedBy(parts, model, coming, async () => {
    const isOnCore = target.hasChat;
    for (const one of new Set<Protocol>([protocol, ...(isOnCore ? [coreProtocol] : [])])) {
      const label = `a good call on ${model}, ${one.name}`;
      await one.open(http, model, one.body(newScene(), { model }), { label }).done;
    }
  });
}
