import type { Check } from '../../engine/check.ts';
import { deadLinksAreClean } from './dead-links.ts';
import { lengthIsHonoured, lifeChecks } from './life.ts';
import { rareLayouts } from './rare-layout.ts';
import { readingSendsNothing } from './reading-sends-nothing.ts';
import { readingChangesNothing } from './reads.ts';
import { submitChecks } from './submit.ts';

export const taskChecks: readonly Check[] = [
  ...lifeChecks,
  lengthIsHonoured,
  rareLayouts,
  deadLinksAreClean,
  ...submitChecks,
  readingChangesNothing,
  readingSendsNothing,
];
