import type { Mutant } from '../../edits/mutant.ts';
import { mediaEnabledMutants } from './media-enabled.ts';
import { mediaRouteMutants } from './media-routes.ts';
import { requestFormMutants } from './request-forms.ts';
import { epRouteMutants } from './routes.ts';

/** The gateways, each with one defect, that the checks of this area have to find. */
export const epMutants: readonly Mutant[] = [
  ...epRouteMutants,
  ...mediaRouteMutants,
  ...mediaEnabledMutants,
  ...requestFormMutants,
];
