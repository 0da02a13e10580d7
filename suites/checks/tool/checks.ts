import type { Check } from '../../engine/check.ts';
import { toolCallChecks } from './calls.ts';
import { toolFormChecks } from './definition-forms.ts';
import { toolDefinitionChecks } from './definitions-forwarded.ts';
import { toolDeliveryChecks } from './delivery.ts';
import { roundTrip } from './follow-up.ts';
import { issuedIdsAreTaken } from './issued-ids.ts';
import { mixedFragmentsReassemble } from './mixed-fragments.ts';
import { namesSurviveATakeover } from './names-elsewhere.ts';
import { oddIdsAreReplaced } from './odd-ids.ts';
import { resultsKeepTheirIds } from './results-by-id.ts';
import { unmatchedResultsAreClean } from './unmatched.ts';

/** The area TOOL: tool definitions, tool calls and their follow-up. */
export const toolChecks: readonly Check[] = [
  ...toolFormChecks,
  ...toolDefinitionChecks,
  ...toolCallChecks,
  namesSurviveATakeover,
  ...toolDeliveryChecks,
  mixedFragmentsReassemble,
  roundTrip,
  resultsKeepTheirIds,
  issuedIdsAreTaken,
  oddIdsAreReplaced,
  unmatchedResultsAreClean,
];
