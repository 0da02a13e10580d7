import type { Check } from '../../engine/check.ts';
import { anySizeIsWhole } from './any-size.ts';
import { bodyChecks } from './bodies.ts';
import { commonClientWorks } from './client-library.ts';
import { everyModelGetsEverything } from './every-model.ts';
import { numbersAreExact } from './exact-numbers.ts';
import { chatFieldChecks } from './fields.ts';
import { oneFaultInAnyPair } from './in-pairs.ts';
import { jsonObjectBesideTools, jsonObjectParses } from './json-object.ts';
import { jsonSchemaChecks } from './json-schema.ts';
import { labelsAreLoggedEveryWay } from './labels-logged.ts';
import { legalInAnyPair } from './legal-pairs.ts';
import { manyArrive } from './many.ts';
import { maxTokensChecks } from './max-tokens.ts';
import { minimalChecks } from './minimal.ts';
import { modelIdChecks } from './model-ids.ts';
import { optionalFieldChecks } from './optional-fields.ts';
import { runsOfTurnsArrive } from './runs-of-turns.ts';
import { seedRepeats } from './seed.ts';
import { sparseTurnsAreServed } from './sparse-turns.ts';
import { stopHalts } from './stop.ts';
import { zeroRepeats } from './temperature.ts';
import { toolChoiceChecks } from './tool-choice.ts';
import { transcriptChecks } from './transcript.ts';
import { unknownFieldChecks } from './unknown-fields.ts';
import { usageLogChecks } from './usage-log.ts';
import { wholeAnswerChecks } from './whole-answers.ts';

/** The area CHAT: the body of a chat request. */
export const chatChecks: readonly Check[] = [
  ...minimalChecks,
  ...optionalFieldChecks,
  ...chatFieldChecks,
  ...modelIdChecks,
  ...transcriptChecks,
  anySizeIsWhole,
  oneFaultInAnyPair,
  legalInAnyPair,
  runsOfTurnsArrive,
  sparseTurnsAreServed,
  everyModelGetsEverything,
  manyArrive,
  numbersAreExact,
  ...maxTokensChecks,
  ...wholeAnswerChecks,
  ...toolChoiceChecks,
  jsonObjectParses,
  jsonObjectBesideTools,
  ...jsonSchemaChecks,
  stopHalts,
  zeroRepeats,
  seedRepeats,
  ...unknownFieldChecks,
  ...bodyChecks,
  commonClientWorks,
  ...usageLogChecks,
  labelsAreLoggedEveryWay,
];
