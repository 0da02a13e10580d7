import type { Deviation } from './deviation.ts';
import { renamingModels } from './model-names.ts';

const date = /-(?:\d{4}-\d\d-\d\d|\d{8})$/;

/**
 * Upstreams name the version that answered; some gateways pass that on. Only a date after the very name that was asked for is
 * taken off: any other name is a defect of its own.
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
