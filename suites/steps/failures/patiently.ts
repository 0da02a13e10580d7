import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { Violation } from '../../rules/violation.ts';

/** How long after a client has left its slot may still be taken, ms (reading B-36). */
const freedWithinMs = 5_000;

/** Cheap calls between two tries: enough of them that the tries themselves stay few. */
const probesBetween = 50;

/** Tries again until it works or the time for freeing a slot has passed; then the last failure counts. */
export async function patiently(
  { newScene, target, http }: CheckParts,
  work: () => Promise<void>,
): Promise<void> {
  const start = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Violation) || performance.now() - start > freedWithinMs) throw error;
    }
    const probe = { ...newScene().minimal(target.anyModel()), temperature: 9 };
    for (let count = 0; count < probesBetween; count += 1) {
      await http.openChat(probe, { label: 'is a slot free?' }).done;
    }
  }
}
