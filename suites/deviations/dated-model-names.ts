import type { Deviation } from './deviation.ts';
import { renamingModels } from './model-names.ts';

const date = /-(?:\d{4}-\d\d-\d\d|\d{8})$/;

/**
 * Upstreams name the exact version that answered, and some gateways pass it on. Only a date after the requested name is
 * removed; any other name is a separate defect.
 */
export const datedModelNames: Deviation = {
  id: 'dated-model-names',
  title: 'answers name the model with a date after it',
  requirement: 'RESP-004',
  fits: ({ actual }) => !actual.includes('must have required property'),
  checks: ['resp.shape.every-model'],
  undo: (given) =>
    given === undefined
      ? renamingModels((name, asked) => (name.replace(date, '') === asked ? asked : name))
      : null,
};
