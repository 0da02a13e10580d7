import type { Mutant } from '../../mutation/mutant.ts';
import { mediaEnabledMutants } from './mutants/media-enabled.ts';
import { mediaRouteMutants } from './mutants/media-routes.ts';
import { requestFormMutants } from './mutants/request-forms.ts';
import { epRouteMutants } from './mutants/routes.ts';

/** The gateways, each with one defect, that the checks of this area have to find. */
export const epMutants: readonly Mutant[] = [
  ...epRouteMutants,
  ...mediaRouteMutants,
  ...mediaEnabledMutants,
  ...requestFormMutants,
];
