import { Breaker } from '../../../routing/breaker.ts';
import type { Planted } from './planted.ts';

/** A breaker that is half-open lets every call through. */
export const twoProbes: Planted = {
  name: 'two-probes',
  foundBy: 109,
  violates: /lets 2 probes through/,
  install: () => {
    const { admits } = Breaker.prototype;
    Breaker.prototype.admits = function (nowMs) {
      return this.state(nowMs) !== 'open';
    };
    return () => {
      Breaker.prototype.admits = admits;
    };
  },
};

/** Slots are counted first and taken then, with room for one more. */
export const capOffByOne: Planted = {
  name: 'cap-off-by-one',
  foundBy: 2,
  violates: /calls in flight, with a cap of/,
  slots: (slots) => ({
    ...slots,
    take: async (userId, cap) => ((await slots.held(userId)) >= cap ? null : slots.take(userId, cap + 1)),
  }),
};

/** The leases of a process that died are left to lapse, after ten minutes. */
export const leavesLeases: Planted = {
  name: 'leaves-leases',
  foundBy: 39,
  violates: /a lease is not returned/,
  leases: { areLeft: true, lastMs: 600_000 },
};
