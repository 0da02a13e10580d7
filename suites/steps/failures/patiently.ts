import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { throwing, Violation } from '../../rules/violation.ts';

/** How long a slot may stay taken after its client disconnected, ms (reading B-36). */
const freedWithinMs = 5_000;

/** How many cheap calls to make between two tries, so that the tries themselves stay few. */
const probesBetween = 50;

/** Retries until it works or the time for freeing a slot has passed. Then the last failure counts. */
export async function patiently(
  { newScene, target, http }: CheckParts,
  work: () => Promise<void>,
): Promise<void> {
  const start = performance.now();
  for (;;) {
    try {
      return await throwing(work);
    } catch (error) {
      if (!(error instanceof Violation) || performance.now() - start > freedWithinMs) throw error;
    }
    const probe = { ...newScene().minimal(target.anyModel()), temperature: 9 };
    for (let count = 0; count < probesBetween; count += 1) {
      await http.openChat(probe, { label: 'is a slot free?' }).done;
    }
  }
}
