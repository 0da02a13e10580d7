import type { Fault } from '../../fault-contract/fault.ts';

/**
 * A connection that waited in a pool is gone just as it is used again: reset, or closed. Every second request gets
 * its answer, whatever its connection, so that whoever tries once more is served.
 */
export const keepaliveRace: Fault = {
  id: 'T9',
  kind: 'wire',
  steps: (_given, { form, earlier, nth }) => {
    if (earlier === 0 || nth % 2 === 0) return null;
    return [{ do: 'end', by: form === 'closed' ? 'fin' : 'rst' }];
  },
};
