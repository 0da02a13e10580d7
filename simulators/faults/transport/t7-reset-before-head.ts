import type { Fault } from '../../fault-contract/fault.ts';

/** Reads the request and breaks the connection. */
export const resetBeforeHead: Fault = {
  id: 'T7',
  kind: 'hijack',
  steps: () => [{ do: 'end', by: 'rst' }],
};
