import { fieldChecks } from '../../steps/fields/field-check.ts';

export const imgmFieldChecks = fieldChecks('imgm', ({ medium }) => medium === 'image');
