import type { WireEnd } from '../../answers/wire-program.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { ofForm } from '../native/refusal.ts';

const ends: Readonly<Record<string, WireEnd>> = {
  reset: 'rst',
  closed: 'fin',
  silence: 'silence',
  always: 'rst',
};

/** The job is created, but no byte of the answer arrives: the first time, or on every submit. */
export const lostSubmitResponse: Fault = {
  id: 'J2',
  kind: 'wire',
  steps: (_given, context) => {
    if (context.submits > 1 && context.form !== 'always') return null;
    return [{ do: 'end', by: ofForm(context, ends) }];
  },
};
