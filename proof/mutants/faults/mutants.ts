import type { Mutant } from '../../edits/mutant.ts';
import { faultMutants } from './answers.ts';
import { faultChargeMutants } from './charges.ts';
import { jobFaultMutants } from './jobs.ts';
import { reportFaultMutants } from './reports.ts';
import { faultSourceMutants } from './source.ts';

/** The gateways, each with one defect, that the checks of this area have to find. */
export const faultsMutants: readonly Mutant[] = [
  ...faultMutants,
  ...faultSourceMutants,
  ...faultChargeMutants,
  ...jobFaultMutants,
  ...reportFaultMutants,
];
