import { type Invariant, must } from '../world/view.ts';

/** At rest nobody holds a slot any more. */
export const leases: Invariant = {
  name: 'leases',
  atRest: ({ tables, nowMs }) => {
    for (const userId of tables.leases.keys()) {
      const left = [...(tables.leases.get(userId) ?? [])].filter(([, untilMs]) => untilMs > nowMs);
      must(
        left.length === 0,
        () => `${userId} still has ${left.length} slots at the end: a lease is not returned`,
      );
    }
  },
};
