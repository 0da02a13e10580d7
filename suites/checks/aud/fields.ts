import { fieldChecks } from '../../steps/fields/field-check.ts';

export const audFieldChecks = fieldChecks('aud', ({ id, medium }) => medium === 'audio' && id !== 'song-v5');
