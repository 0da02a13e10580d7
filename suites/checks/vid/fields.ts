import { fieldChecks } from '../../steps/fields/field-check.ts';

export const vidFieldChecks = fieldChecks('vid', ({ medium }) => medium === 'video');
