import type { Fault } from '../../fault-contract/fault.ts';

/** Reads the request and resets the connection. */
export const resetBeforeHead: Fault = {
  id: 'T7',
  kind: 'hijack',
  steps: () => [{ do: 'end', by: 'rst' }],
};
