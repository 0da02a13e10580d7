import type { Check } from '../engine/check.ts';
import type { Register } from '../rules/register.ts';
import type { EveryExchange } from './every/every-exchange.ts';
import type { JobTarget, RunInput } from './run-input.ts';
import type { StackState, TargetState } from './stack-state.ts';

/** Everything around one run of one check. */
export interface JobContext {
  readonly input: RunInput;
  readonly register: Register;
  readonly check: Check;
  readonly target: JobTarget;
  readonly stack: StackState;
  readonly state: TargetState;
  /** Where goes what the exchanges of the check show besides; null where nobody asks. */
  readonly every: Pick<EveryExchange, 'add' | 'mayAsk'> | null;
  readonly signal: AbortSignal;
}
