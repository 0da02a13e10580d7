import type { Check } from '../../engine/check.ts';
import { callChecks } from './calls.ts';
import { configFaultChecks } from './config-faults.ts';
import { contentsChecks } from './contents.ts';
import { contextChecks } from './context.ts';
import { errorChecks } from './errors.ts';
import { everyModelChecks } from './every-model.ts';
import { keyChecks } from './key.ts';
import { keyInsideChecks } from './key-stays-inside.ts';
import { linksAreGuarded } from './links.ts';
import { mediaArrive } from './media.ts';
import { nativeAnswerChecks } from './native-answer.ts';
import { nativeFieldChecks } from './native-fields.ts';
import { otherModelChecks } from './other-models.ts';
import { otherPartChecks } from './other-parts.ts';
import { passThroughChecks } from './pass-through.ts';
import { pathModelChecks } from './path-model.ts';
import { richRequestChecks } from './rich-requests.ts';
import { streamFailureChecks } from './stream-failures.ts';
import { upstreamTextChecks } from './upstream-text.ts';

/** The area COMPB: the generate-content protocol on compat path B. */
export const compbChecks: readonly Check[] = [
  ...everyModelChecks,
  ...pathModelChecks,
  ...contentsChecks,
  ...passThroughChecks,
  ...configFaultChecks,
  ...richRequestChecks,
  ...callChecks,
  ...nativeFieldChecks,
  mediaArrive,
  linksAreGuarded,
  ...keyChecks,
  ...keyInsideChecks,
  ...nativeAnswerChecks,
  ...otherPartChecks,
  ...errorChecks,
  ...otherModelChecks,
  ...contextChecks,
  ...upstreamTextChecks,
  ...streamFailureChecks,
];
