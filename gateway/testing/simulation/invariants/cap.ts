import { codeIn } from '../world/caller.ts';
import type { UpstreamCall } from '../world/calls.ts';
import { type Invariant, must, type View } from '../world/view.ts';

/** A request counts as in flight for so long after its end: its slot is given back in the store. */
const graceMs = 400;
/** Others may take a process to be alive for a second after it was seen alive. */
const goneGraceMs = 1_600;

function capOf({ scenario }: View, userId: string): number {
  const users = scenario.config.accounts.flatMap((account) => account.users);
  return users.find(({ id }) => id === userId)?.cap ?? 0;
}

/** Others may have freed the slot of a request, rightly by the text, if its process seemed to be gone since. */
function isCounted({ process, requestId }: UpstreamCall, { requests, seemedGoneMs }: View): boolean {
  const goneMs = seemedGoneMs(process);
  const askedMs = requestId === null ? undefined : requests.get(requestId)?.askedMs;
  return goneMs === null || (askedMs ?? Number.POSITIVE_INFINITY) > goneMs;
}

/** No user ever has more calls in flight than his cap; and nobody is refused while he has less. */
export function cap(): Invariant {
  return {
    name: 'cap',
    began: (call, view) => {
      if (call.userId === null) return;
      const own = [...view.calls.open].filter((open) => open.userId === call.userId && isCounted(open, view));
      const max = capOf(view, call.userId);
      must(own.length <= max, () => `${call.userId} has ${own.length} calls in flight, with a cap of ${max}`);
    },
    answered: (request, seen, view) => {
      if (codeIn(seen) !== 'concurrency_exceeded') return;
      const { storeFaults } = view.scenario;
      // A lease whose return was lost lapses; one that takes seconds may be in anybody's way.
      if (storeFaults.lostBefore + storeFaults.lostAfter + storeFaults.late > 0 || view.hasSevered) return;
      const { askedMs, userId } = request;
      const others = [...view.requests.values()].filter(
        (other) =>
          other !== request &&
          other.userId === userId &&
          other.askedMs <= view.nowMs &&
          (other.overMs === null || other.overMs + graceMs >= askedMs),
      );
      const wasKilled = view.blowsMs.some((atMs) => atMs + goneGraceMs >= askedMs);
      const max = capOf(view, userId);
      must(
        others.length >= max || wasKilled,
        () =>
          `${userId} is refused with ${others.length} requests in flight and a cap of ${max}: a lease is not returned`,
      );
    },
  };
}
