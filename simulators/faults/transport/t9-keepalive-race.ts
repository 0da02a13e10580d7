import type { Fault } from '../../fault-contract/fault.ts';

/**
 * A pooled connection breaks just when it is reused: reset, or closed. Every second request gets its answer on any
 * connection, so a client that retries once succeeds.
 */
export const keepaliveRace: Fault = {
  id: 'T9',
  kind: 'wire',
  steps: (_given, { form, earlier, nth }) => {
    if (earlier === 0 || nth % 2 === 0) return null;
    return [{ do: 'end', by: form === 'closed' ? 'fin' : 'rst' }];
  },
};
