import type { Check } from '../../engine/check.ts';
import { messageFormChecks } from './forms.ts';
import { messageForwardingChecks } from './forwarded.ts';

/** The area MSG: messages and their content blocks. */
export const msgChecks: readonly Check[] = [...messageFormChecks, ...messageForwardingChecks];
