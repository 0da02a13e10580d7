import type { Check } from '../../engine/check.ts';
import { toolCallChecks } from './calls.ts';
import { toolFormChecks } from './definition-forms.ts';
import { toolDefinitionChecks } from './definitions-forwarded.ts';
import { toolDeliveryChecks } from './delivery.ts';
import { toolFollowUpChecks } from './follow-up.ts';

/** The area TOOL: tool definitions, tool calls and their follow-up. */
export const toolChecks: readonly Check[] = [
  ...toolFormChecks,
  ...toolDefinitionChecks,
  ...toolCallChecks,
  ...toolDeliveryChecks,
  ...toolFollowUpChecks,
];
