import type { Check } from '../../engine/check.ts';
import { blockFamilies } from '../../oracle/block-forms.ts';
import { messageFamilies } from '../../oracle/message-forms.ts';
import { formChecks } from '../../steps/chat/form-checks.ts';

/** The forms of messages and of their content blocks, one check a subject. */
export const messageFormChecks: readonly Check[] = formChecks('msg.form', [
  ...messageFamilies,
  ...blockFamilies,
]);
