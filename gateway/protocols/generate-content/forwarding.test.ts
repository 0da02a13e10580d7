import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chatModels } from '../../catalogue/chat-models.ts';
import { parseJsonObject } from '../../http/parse-json.ts';
import { checkCapability } from '../../requests/check-capability.ts';
import { compatGenerateContent } from '../../requests/compat/generate-content/bodies.ts';
import { parseGenerateContentRequest } from '../../requests/compat/generate-content/parse-request.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 8 });
const name = fc.string({ maxLength: 6 });
const anything = fc.dictionary(name, fc.jsonValue({ maxDepth: 3, noUnicodeString: false }), { maxKeys: 3 });
const part = fc.oneof(
  fc.record({ text }),
  fc.record({ text, thought: fc.boolean(), thoughtSignature: text }, { requiredKeys: ['text'] }),
  fc.record({
    inlineData: fc.record({ mimeType: fc.constantFrom('image/png', 'audio/ogg;x=1'), data: text }),
  }),
  fc.record({ file_data: fc.record({ file_uri: text, mime_type: text }, { requiredKeys: ['file_uri'] }) }),
  fc.record({ functionCall: anything, thought_signature: text }, { requiredKeys: ['functionCall'] }),
  fc.record({ functionCall: fc.record({ name, id: text, args: anything }, { requiredKeys: ['name'] }) }),
  fc.record({ functionResponse: fc.record({ name, response: anything }) }),
  anything.filter((one) => !/text|data|function/i.test(Object.keys(one).join())),
);
const content = fc.record(
  { role: fc.constantFrom('user', 'model', null), parts: fc.array(part, { minLength: 1, maxLength: 4 }) },
  { requiredKeys: ['parts'] },
);
const config = fc.record(
  {
    temperature: fc.constantFrom(0, 1.5, 2, null),
    maxOutputTokens: fc.integer({ min: 1, max: 1000 }),
    topP: fc.jsonValue({ maxDepth: 1 }),
    stopSequences: fc.array(text, { maxLength: 6 }),
    seed: fc.jsonValue({ maxDepth: 1 }),
    response_mime_type: text,
    responseSchema: anything,
    thinkingConfig: anything,
  },
  { requiredKeys: [] },
);
const declaration = fc.record(
  { name, description: text, parameters: anything, parametersJsonSchema: anything },
  { requiredKeys: ['name'] },
);
const legalNativeBody = fc.record(
  {
    contents: fc.array(content, { minLength: 1, maxLength: 5 }),
    system_instruction: fc.oneof(text, fc.record({ parts: fc.array(fc.record({ text })) })),
    generationConfig: config,
    tools: fc.array(fc.oneof(fc.record({ functionDeclarations: fc.array(declaration) }), anything)),
    toolConfig: fc.oneof(anything, fc.record({ functionCallingConfig: anything })),
    safetySettings: fc.array(anything),
    cachedContent: text,
    odd: fc.jsonValue(),
  },
  { requiredKeys: ['contents'] },
);

it('every legal native body goes on unchanged', () => {
  const model = chatModels.get('gamma-3-pro');
  if (model === undefined) throw new Error('no such model');
  fc.assert(
    fc.property(legalNativeBody, fc.boolean(), (body, stream) => {
      const sent = JSON.stringify({ ...body, model: 'anything' });
      const request = parseGenerateContentRequest(parseJsonObject(Buffer.from(sent)), model, stream);
      checkCapability(request);
      if (request.native === null) throw new Error('no native form');
      const forwarded = compatGenerateContent.body(request, request.native, 'native-name');
      expect(JSON.parse(forwarded)).toEqual(JSON.parse(JSON.stringify(body)));
      expect(request.stream).toBe(stream);
    }),
    { numRuns: 300 },
  );
});
