import type { Fault } from '../../fault-contract/fault.ts';

/** Reads the request and closes the connection with FIN, without sending a byte. */
export const emptyReply: Fault = {
  id: 'T8',
  kind: 'hijack',
  steps: () => [{ do: 'end', by: 'fin' }],
};
