import fc from 'fast-check';
import { JsonText } from '../../oracle/json-text.ts';
import { hardNumbers, unknownMembers } from './pass-through.ts';

/** A legal `generationConfig`: legal values of known members, and any unknown members. */
export type GenerationConfig = Record<string, unknown>;

const schema = fc.record({
  type: fc.constantFrom('OBJECT', 'object'),
  properties: fc.dictionary(
    fc.constantFrom('wave', 'depth_m', 'isCalm'),
    fc.record({
      type: fc.constantFrom('STRING', 'NUMBER', 'BOOLEAN'),
      description: fc.lorem({ maxCount: 3 }),
    }),
    { minKeys: 1, maxKeys: 3, noNullPrototype: true },
  ),
});

const known = fc.record(
  {
    temperature: fc.constantFrom(0, 0.3, 1, new JsonText('1.0'), 1.7, 2),
    topP: fc.constantFrom(0, 0.25, 0.95, 1),
    topK: fc.integer({ min: 1, max: 64 }),
    candidateCount: fc.constant(1),
    maxOutputTokens: fc.integer({ min: 1_000, max: 8_192 }),
    stopSequences: fc.array(fc.constantFrom('\n\n', ' END', 'zzstop', '🌊'), { maxLength: 4 }),
    seed: fc.integer({ min: -2_147_483_648, max: 2_147_483_647 }),
    presencePenalty: fc.constantFrom(-1.5, 0, 2),
    frequencyPenalty: fc.constantFrom(-1.5, 0, 2),
    responseMimeType: fc.constant('application/json'),
    responseSchema: schema,
    responseModalities: fc.constant(['TEXT']),
    thinkingConfig: fc.record({
      includeThoughts: fc.boolean(),
      thinkingBudget: fc.constantFrom(-1, 0, 1_024),
    }),
    mediaResolution: fc.constant('MEDIA_RESOLUTION_LOW'),
    top_k: fc.constant(20),
  },
  { requiredKeys: [] },
);

export const generationConfig: fc.Arbitrary<GenerationConfig> = fc
  .tuple(known, fc.oneof(fc.constant({}), unknownMembers))
  .map(([members, unknown]) => ({ ...members, ...unknown }));

/** Every known member at once, every number that is hard to preserve, and unknown members at each depth. */
export const configExamples: readonly GenerationConfig[] = [
  {},
  { zzFutureKnob: { nested: { deeper: [{ deepest: new JsonText('9007199254740993') }, null, []] } } },
  { thinkingConfig: { includeThoughts: true, thinkingBudget: 512, zzEffort: 'most' }, temperature: 0 },
  Object.fromEntries(hardNumbers.map((digits, at) => [`zzNumber${at}`, new JsonText(digits)])),
  {
    temperature: 0.3,
    topP: 0.25,
    topK: 7,
    candidateCount: 1,
    maxOutputTokens: 4_096,
    stopSequences: ['zzstop', ' END'],
    seed: -5,
    presencePenalty: 0.5,
    frequencyPenalty: -0.5,
    responseMimeType: 'application/json',
    responseSchema: { type: 'OBJECT', properties: { wave: { type: 'STRING' } }, propertyOrdering: ['wave'] },
    responseLogprobs: false,
    speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Sea' } } },
    mediaResolution: 'MEDIA_RESOLUTION_LOW',
  },
];

/** Legal settings, one of each that gateways often translate, so that a fault in one can be confused with another. */
export const everySetting = {
  temperature: 0.5,
  topP: 0.5,
  topK: 7,
  candidateCount: 1,
  maxOutputTokens: 64,
  stopSequences: ['zzstop'],
  seed: 5,
  presencePenalty: 0,
  responseMimeType: 'text/plain',
};
