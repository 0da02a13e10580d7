import type { Check } from '../../engine/check.ts';
import { laterStepsAreTheAccounts } from './later-steps.ts';
import { mediaModelsAreTheAccounts } from './media-enabled.ts';
import { mediaRouteChecks } from './media-routes.ts';
import { listedModelsWork, listIsTheAccounts, modelListIsRead } from './model-list.ts';
import { otherMethodsAreRefused, routesAreThere, unknownPathIsRefused } from './paths.ts';
import { requestFormChecks } from './request-forms.ts';
import { runningTaskIsLeftAlone } from './running-task.ts';
import { textSurvivesBothWays } from './unicode.ts';

export const epChecks: readonly Check[] = [
  routesAreThere,
  textSurvivesBothWays,
  ...requestFormChecks,
  modelListIsRead,
  listedModelsWork,
  listIsTheAccounts,
  mediaModelsAreTheAccounts,
  laterStepsAreTheAccounts,
  otherMethodsAreRefused,
  runningTaskIsLeftAlone,
  unknownPathIsRefused,
  ...mediaRouteChecks,
];
