import type { Check } from '../../engine/check.ts';
import { toolFamilies } from '../../oracle/tool-forms.ts';
import { formChecks } from '../../steps/chat/form-checks.ts';

/** The forms of a tool definition, one check a member. */
export const toolFormChecks: readonly Check[] = formChecks('tool.definition', toolFamilies);
