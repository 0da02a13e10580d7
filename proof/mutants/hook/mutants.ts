import type { Mutant } from '../../edits/mutant.ts';
import { hookFormMutants } from './forms.ts';
import { hookKitMutants } from './kit.ts';
import { hookSendingMutants } from './sending.ts';
import { hookTargetMutants } from './targets.ts';

/** The gateways, each with one defect, that the checks of this area have to find. */
export const hookMutants: readonly Mutant[] = [
  ...hookSendingMutants,
  ...hookFormMutants,
  ...hookKitMutants,
  ...hookTargetMutants,
];
