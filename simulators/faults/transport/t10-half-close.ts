import { standardSteps, usualDelimiter } from '../../answers/wire-form.ts';
import type { Fault } from '../../fault-contract/fault.ts';

/**
 * The whole answer, then FIN, while the upstream keeps reading. Without a delimiter, only the FIN marks the end of the
 * answer.
 */
export const halfClose: Fault = {
  id: 'T10',
  kind: 'wire',
  steps: (given, { form }) => [
    ...standardSteps(given, form === 'delimited' ? usualDelimiter(given) : 'none'),
    { do: 'end', by: 'half-close' },
  ],
};
