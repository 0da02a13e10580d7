import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { replyOf } from '../../generators/compat/generate-reply.ts';
import { JsonText } from '../../oracle/json-text.ts';
import { objectOf } from '../../oracle/native/json.ts';
import { png } from '../../oracle/sample-media.ts';
import { answeredB, atUpstream, callName, formsB, gammaModels, judgeUnchanged } from './served.ts';

/** Far longer than any single read or write. */
const long = 'The sea is wide, and nobody knows why. '.repeat(3_500);

const picture = {
  inlineData: { mimeType: png.mime, data: png.base64 },
};

/** Bodies, each with the members that must arrive unchanged and their rule. */
const cases: Readonly<Record<string, (prompt: string) => JsonObject>> = {
  'everything at once': everything,
  'long texts': (prompt) => ({
    contents: [
      { role: 'user', parts: [{ text: `${long}Here.` }] },
      { role: 'model', parts: [{ text: `${long}And here.` }] },
      { role: 'user', parts: [{ text: prompt }] },
    ],
  }),
  'one text twice in a turn': (prompt) => ({
    contents: [
      { role: 'user', parts: [{ text: 'one' }] },
      { role: 'model', parts: [{ text: 'two' }] },
      { role: 'user', parts: [{ text: prompt }, { text: 'four' }, { text: prompt }] },
    ],
    generationConfig: { seed: 0, responseMimeType: 'text/plain' },
  }),
};

const judged = [
  ['contents', { requirement: 'COMPB-018', aspect: 'turn-content' }],
  ['tools', { requirement: 'COMPB-005', aspect: 'tools-unchanged' }],
  ['toolConfig', { requirement: 'COMPB-005', aspect: 'tool-config-unchanged' }],
  ['generationConfig', { requirement: 'COMPB-004', aspect: 'config-unchanged' }],
] as const;

interface Rich {
  readonly model: string;
  readonly stream: boolean;
  readonly label: string;
  readonly bodyOf: (prompt: string) => JsonObject;
}

export const richRequestsArrive = defineCheck({
  id: 'compb.request.rich',
  title: 'long native requests with many features reach the upstream unchanged on both gamma models',
  requirements: ['COMPB-018', 'COMPB-004', 'COMPB-005', 'COMPB-006'],
  kind: 'upstream',
  needs: ['compat.b', 'upstream.control'],
  run: async (parts) => {
    for (const model of gammaModels(parts.target)) {
      for (const stream of await formsB(parts)) {
        for (const [label, bodyOf] of Object.entries(cases))
          await judgeRich(parts, { model, stream, label, bodyOf });
      }
    }
  },
});

/** One request with everything that the specification mentions. It finds defects that need two features together. */
function everything(prompt: string): JsonObject {
  return {
    contents: [
      { role: 'user', parts: [picture, { text: 'What is this?' }] },
      {
        role: 'model',
        parts: [
          { text: 'I look it up.' },
          {
            functionCall: { id: 'call_1', name: 'look_up', args: { n: new JsonText('9007199254740993') } },
            thoughtSignature: 'c2lnbmF0dXJl',
          },
          { functionCall: { name: '_tide', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'call_1', name: 'look_up', response: { result: 'Water.' } } },
          { functionResponse: { name: '_tide', response: { error: { code: 5 } } } },
          { text: prompt },
        ],
      },
    ],
    tools: [
      { functionDeclarations: [{ name: '_tide', description: 'Tells the tide.' }] },
      { functionDeclarations: [{ name: 'look_up', description: 'Looks up.\n Twice. ' }] },
    ],
    toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
    generationConfig: {
      temperature: 1.7,
      topP: 0.25,
      maxOutputTokens: 8_000,
      stopSequences: ['\n\n', ' END'],
      thinkingConfig: { includeThoughts: true, thinkingBudget: 512 },
      zzFutureKnob: { list: [1, null] },
    },
  };
}

async function judgeRich(
  { cases, newScene, http, judge }: CheckParts,
  { model, stream, label, bodyOf }: Rich,
): Promise<void> {
  cases.count();
  const scene = newScene();
  // A lenient upstream, so that only the gateway can refuse.
  await scene.script(replyOf({ parts: [{ text: 'Indeed.' }] }, stream));
  const body = bodyOf(scene.prompt());
  const exchange = await http.compatB(model, body, { stream, label: `${callName(model, stream)}: ${label}` });
  answeredB(judge, exchange, stream, { requirement: 'COMPB-006', aspect: 'turns-accepted', model });
  const native = await atUpstream(scene, 'COMPB-006', exchange);
  for (const [name, rule] of judged) {
    // An absent member and an empty one mean the same.
    const isNothing = !(name in body) && isEmpty(objectOf(native.json)[name]);
    if (!isNothing) judgeUnchanged(name, { body, native, exchange }, rule);
  }
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && Object.keys(value ?? {}).length === 0;
}
