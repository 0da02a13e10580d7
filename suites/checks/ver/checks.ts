import type { Check } from '../../engine/check.ts';
import {
  modelIdsAreExact,
  modelVersionsBelongToTheId,
  pathsAreExact,
  versionIsInThePath,
} from './exact-names.ts';

export const verChecks: readonly Check[] = [
  versionIsInThePath,
  modelVersionsBelongToTheId,
  pathsAreExact,
  modelIdsAreExact,
];
