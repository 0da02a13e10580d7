import type { Mutant } from '../../mutation/mutant.ts';
import { faultMutants } from './mutants/answers.ts';
import { faultChargeMutants } from './mutants/charges.ts';
import { jobFaultMutants } from './mutants/jobs.ts';
import { reportFaultMutants } from './mutants/reports.ts';
import { faultSourceMutants } from './mutants/source.ts';

/** The gateways, each with one defect, that the checks of this area have to find. */
export const faultsMutants: readonly Mutant[] = [
  ...faultMutants,
  ...faultSourceMutants,
  ...faultChargeMutants,
  ...jobFaultMutants,
  ...reportFaultMutants,
];
