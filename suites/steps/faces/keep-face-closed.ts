import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import { limitsOf, Strain } from '../failures/strain.ts';
import { coreFace, type Face } from './face.ts';
import type { Facing } from './facing.ts';

const strains = new WeakMap<Target, Strain>();

/**
 * Before a call that is going to fail at the upstream: as many good calls as a breaker needs to stay closed, on the face
 * that fails and on the core path, so that it does not matter whether a deployment has one breaker for both. `coming` are
 * the attempts that may fail.
 */
export async function keepFaceClosed(
  { target, http, newScene }: CheckParts,
  { face, model }: Facing,
  coming = 2,
): Promise<void> {
  const strain = strains.get(target) ?? new Strain([], limitsOf(target));
  strains.set(target, strain);
  for (let good = strain.goodCallsBefore(model, coming); good > 0; good -= 1) {
    for (const one of new Set<Face>([face, coreFace])) {
      const label = `a good call on ${model}, ${one.name}`;
      await one.open(http, model, one.body(newScene(), { model }), { label }).done;
    }
    strain.served(model);
  }
  strain.failed(model, coming);
}
