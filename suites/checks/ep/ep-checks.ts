import type { Check } from '../../engine/check.ts';
import { listedModelsWork, modelListIsRead } from './model-list.ts';
import { otherMethodsAreRefused, routesAreThere, unknownPathIsRefused } from './paths.ts';
import { textSurvivesBothWays } from './unicode.ts';

export const epChecks: readonly Check[] = [
  routesAreThere,
  textSurvivesBothWays,
  modelListIsRead,
  listedModelsWork,
  otherMethodsAreRefused,
  unknownPathIsRefused,
];
