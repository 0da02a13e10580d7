import { fieldChecks } from '../../steps/fields/field-check.ts';

export const songFieldChecks = fieldChecks('song', ({ id }) => id === 'song-v5');
