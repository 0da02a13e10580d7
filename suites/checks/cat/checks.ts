import type { Check } from '../../engine/check.ts';
import { capabilityChecks } from './capabilities.ts';
import { catalogueIsClosed } from './closed.ts';
import { lackingChecks } from './lacking.ts';
import { catalogueChecks } from './models.ts';
import { visionChecks } from './vision.ts';
import { windowChecks } from './windows.ts';

/** The area CAT: what the catalogue promises about each chat model. */
export const catChecks: readonly Check[] = [
  ...catalogueChecks,
  ...capabilityChecks,
  ...visionChecks,
  ...lackingChecks,
  ...windowChecks,
  catalogueIsClosed,
];
