import type { Check } from '../../engine/check.ts';
import { fieldChecks } from '../../steps/fields/field-check.ts';
import { audioTasksAreTasks } from './same-record.ts';
import { audioValueChecks } from './upstream-values.ts';

/** The area AUD: speech, music without steps, and performances. */
export const audChecks: readonly Check[] = [
  ...fieldChecks('aud', ({ id, medium }) => medium === 'audio' && id !== 'song-v5'),
  audioTasksAreTasks,
  ...audioValueChecks,
];
