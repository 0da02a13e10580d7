import { isJsonObject } from '../values/json.ts';
import type { Deviation } from './deviation.ts';
import { renamingModels } from './model-names.ts';

/** Answers name models as the upstream does, or as the deployment's own catalogue. */
export const otherModelNames: Deviation = {
  id: 'other-model-names',
  title: 'answers name models otherwise than they are asked for',
  requirement: 'RESP-004',
  fits: ({ actual }) => !actual.includes('must have required property'),
  checks: ['resp.shape.every-model'],
  takes: 'the name in answers by the id that is asked for, such as { delta-3: vendor/delta-3 }',
  undo: (given) => {
    if (!isJsonObject(given) || Object.keys(given).length === 0) return null;
    return renamingModels((name, asked) =>
      Object.hasOwn(given, asked) && given[asked] === name ? asked : name,
    );
  },
};
