import fc from 'fast-check';
import { everySetting, generationConfig } from '../../generators/compat/generate-config.ts';
import { generateTurns } from '../../generators/compat/generate-turns.ts';
import { pixelBase64 } from '../../oracle/sample-images.ts';
import { withValue } from './body-tree.ts';
import { fieldsIn } from './fields-of.ts';
import { generateValues, KnownValues } from './known-values.ts';
import { type Body, keySlot, type Subject } from './subject.ts';

const prompt = 'Tell me about the sea in five words.';
const known = new KnownValues(generateValues);
const last = { role: 'user', parts: [{ text: prompt }] };

const drawn = fc.record({ turns: generateTurns, config: generationConfig });

/** Compat path B with one of its models, which the path names. */
export function generateSubject(model: string): Subject {
  const least: Body = { contents: [last], generationConfig: { maxOutputTokens: 16 } };
  const whole = [richBody()];
  return {
    ...{ endpoint: 'generate', model, least, whole, known, streams: true },
    fields: fieldsIn(whole, ['contents'], known),
    draw: (seed) => {
      const [one] = fc.sample(drawn, { seed, numRuns: 1 });
      if (one === undefined) return least;
      return { contents: [...one.turns, last], generationConfig: { ...one.config, maxOutputTokens: 64 } };
    },
    request: (body, stream) => ({
      method: 'POST',
      path: `/compat-b/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse&' : 'generateContent?'}key=${keySlot}`,
      headers: { 'content-type': 'application/json' },
      body,
    }),
    sureFault: ([top]) => {
      // The specification fixes only `contents`, so a gateway may pass on a fault in any other field.
      if (top !== 'contents') return (body) => withValue(body, ['contents'], 7) as Body;
      return (body) => withValue(body, ['contents', 0], { role: 5, parts: 5 }) as Body;
    },
  };
}

/** Every member of the protocol that a legal request may have at once. */
function richBody(): Body {
  return {
    systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }] },
    contents: [
      {
        role: 'user',
        parts: [
          { text: 'What is it?' },
          { inlineData: { mimeType: 'image/png', data: pixelBase64 } },
          { fileData: { mimeType: 'image/jpeg', fileUri: 'https://media.example.com/files/sea.jpg' } },
        ],
      },
      { role: 'model', parts: [{ functionCall: { name: 'look_up', args: { word: 'sea' } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'look_up', response: { result: 'Wide.' } } }] },
      { role: 'model', parts: [{ text: 'Wide.', thoughtSignature: 'c2VhLXNlYQ==' }] },
      last,
    ],
    tools: [
      {
        functionDeclarations: [
          {
            name: 'look_up',
            description: 'Looks a word up.',
            parameters: { type: 'OBJECT', properties: {} },
          },
        ],
      },
    ],
    toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
    safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
    generationConfig: everySetting,
  };
}
