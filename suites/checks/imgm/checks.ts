import type { Check } from '../../engine/check.ts';
import { fieldChecks } from '../../steps/fields/field-check.ts';

/** The area IMGM: the fields of each image model. */
export const imgmChecks: readonly Check[] = [...fieldChecks('imgm', ({ medium }) => medium === 'image')];
