import type { Mutant } from '../../mutation/mutant.ts';
import { hookFormMutants } from './mutants/forms.ts';
import { hookKitMutants } from './mutants/kit.ts';
import { hookSendingMutants } from './mutants/sending.ts';
import { hookTargetMutants } from './mutants/targets.ts';

/** The gateways, each with one defect, that the checks of this area have to find. */
export const hookMutants: readonly Mutant[] = [
  ...hookSendingMutants,
  ...hookFormMutants,
  ...hookKitMutants,
  ...hookTargetMutants,
];
