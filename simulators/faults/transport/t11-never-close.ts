import { openSteps } from '../../answers/wire-form.ts';
import type { Fault } from '../../fault-contract/fault.ts';

/** The answer is complete, end mark included, but the connection stays open: no last chunk, no FIN. */
export const neverClose: Fault = {
  id: 'T11',
  kind: 'wire',
  steps: (given, { form }) => [
    ...openSteps(given, form === 'undelimited' ? 'none' : 'chunked'),
    { do: 'end', by: 'silence' },
  ],
};
