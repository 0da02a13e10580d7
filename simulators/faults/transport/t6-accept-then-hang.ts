import type { Fault } from '../../fault-contract/fault.ts';

/** Reads the request and never sends a byte. */
export const acceptThenHang: Fault = {
  id: 'T6',
  kind: 'hijack',
  steps: () => [{ do: 'end', by: 'silence' }],
};
