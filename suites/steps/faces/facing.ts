import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import { Untestable } from '../../rules/violation.ts';
import { type Exchange, jsonOf, mediaType } from '../../wire/exchange.ts';
import { compatFaces, coreFace, type Face } from './face.ts';

/** A compat face with a model that is enabled for the caller. */
export interface Facing {
  readonly face: Face;
  readonly model: string;
}

/**
 * The compat faces of the deployment, each with its models in an order drawn by seed; those that it owns up to not having
 * are left out.
 * @throws Untestable when none is left.
 */
export function compatOf({
  target,
  rng,
  judge,
}: CheckParts): { readonly face: Face; readonly models: readonly [string, ...string[]] }[] {
  const there = compatFaces.filter(({ fact }) => fact === null || !target.profile.absent.includes(fact));
  const found = there.flatMap((face) => {
    const [first, ...rest] = rng.shuffle(target.models.filter((model) => face.serves(model)));
    if (first === undefined) judge.note(`no model of ${face.name} is enabled`);
    return first === undefined ? [] : [{ face, models: [first, ...rest] as const }];
  });
  if (found.length === 0) throw new Untestable(there.length === 0 ? 'compat.a' : 'a model of a compat path');
  return found.map(({ face, models: [first, ...rest] }) => ({ face, models: [first, ...rest] }));
}

/** One model for this face. @throws Untestable when none is enabled. */
export function facingOf(target: Target, face: Face): Facing {
  const models = target.models.filter((model) => face.serves(model));
  if (models.length === 0) throw new Untestable(`a model of ${face.name}`);
  return { face, model: target.draw(models) };
}

/** The core face and the compat faces, each with a model. */
export function facingsOf(parts: CheckParts): readonly [Facing, Facing, ...Facing[]] {
  const [first, ...rest] = compatOf(parts).map(({ face, models: [model] }): Facing => ({ face, model }));
  return [{ face: coreFace, model: parts.target.anyModel() }, first as Facing, ...rest];
}

/**
 * Whether a compat face streams, which a deployment may leave out (reading B-91): then a clean refusal is fine, and is
 * noted. Asks once.
 */
export async function streamsOn(
  { newScene, http, judge }: CheckParts,
  { face, model }: Facing,
): Promise<boolean> {
  if (face.fact === null) return true;
  const body = face.body(newScene(), { model });
  const exchange = await face.send(http, model, body, {
    label: `${face.name}, does it stream?`,
    stream: true,
  });
  if (mediaType(exchange) === 'text/event-stream' || !isWithout(exchange)) return true;
  judge.note(`${face.name} does not stream`);
  return false;
}

function isWithout(exchange: Exchange): boolean {
  const { code, param } = (jsonOf(exchange) as { error?: Record<string, unknown> } | undefined)?.error ?? {};
  const status = exchange.response?.status;
  return (
    status === 404 || (status === 400 && code === 'invalid_param' && (param === 'stream' || param === null))
  );
}

/** Both forms of a call on this face, or the plain one alone where it does not stream. */
export async function formsOn(parts: CheckParts, facing: Facing): Promise<readonly boolean[]> {
  return (await streamsOn(parts, facing)) ? [false, true] : [false];
}
