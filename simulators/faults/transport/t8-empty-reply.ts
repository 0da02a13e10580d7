import type { Fault } from '../../fault-contract/fault.ts';

/** Reads the request and closes the connection in good order, without a byte. */
export const emptyReply: Fault = {
  id: 'T8',
  kind: 'hijack',
  steps: () => [{ do: 'end', by: 'fin' }],
};
