import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { Scene } from '../../engine/scene.ts';
import { lookUp, result, use } from '../../oracle/compat/sample-blocks.ts';
import { type Call, callOf } from '../../oracle/exchange/call.ts';
import { requestFaults } from '../../oracle/exchange/judge-requests.ts';
import { imageHttpsUrl } from '../../oracle/sample-images.ts';
import { jpeg, png } from '../../oracle/sample-media.ts';
import type { RouteProfile } from '../../profile/profile.ts';
import { flag, part, Untestable } from '../../rules/violation.ts';
import type { Protocol } from '../../steps/protocols/protocol.ts';
import { compatThere, formsOn } from '../../steps/protocols/protocol-model.ts';
import { routesServed, untilAsked } from '../../steps/protocols/routes-served.ts';
import { readSaid } from '../../steps/protocols/said.ts';

const spell = {
  name: 'spell',
  description: 'Spells a word.',
  input_schema: { type: 'object', properties: {} },
};

const declared = {
  functionDeclarations: [
    {
      name: 'look_up',
      description: 'Looks up.',
      parameters: { type: 'OBJECT', properties: { n: { type: 'INTEGER' } }, required: ['n'] },
    },
    { name: 'spell', description: 'Spells a word.' },
  ],
};

/** Requests with everything that all dialects can express. */
const bodies: Readonly<Record<string, (scene: Scene, model: string) => JsonObject>> = {
  'compat-a': (scene, model) => ({
    model,
    max_tokens: 731,
    system: 'Be brief.',
    temperature: 0.25,
    stop_sequences: ['###', 'END'],
    tools: [lookUp, spell],
    tool_choice: { type: 'any' },
    messages: [
      { role: 'user', content: 'What is the sea?' },
      { role: 'assistant', content: [{ type: 'text', text: 'I look.' }, use('toolu_1', '{"n":1}')] },
      { role: 'user', content: [result('toolu_1', { content: 'Water.' })] },
      { role: 'assistant', content: 'It is water.' },
      { role: 'user', content: scene.prompt() },
    ],
  }),
  'compat-b': (scene) => ({
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [
      { role: 'user', parts: [{ text: 'What is the sea?' }] },
      { role: 'model', parts: [{ text: 'I look.' }, { functionCall: { name: 'look_up', args: { n: 1 } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'look_up', response: { result: 'Water.' } } }] },
      { role: 'model', parts: [{ text: 'It is water.' }] },
      { role: 'user', parts: [{ text: scene.prompt() }] },
    ],
    tools: [declared],
    toolConfig: { functionCallingConfig: { mode: 'ANY' } },
    generationConfig: { maxOutputTokens: 731, temperature: 0.25, stopSequences: ['###', 'END'] },
  }),
};

/**
 * Requests that not every dialect can express: pictures of several kinds, as data and by link, and calls one at a time. A
 * gateway may refuse them where an upstream cannot take them.
 */
const pictured: typeof bodies = {
  'compat-a': (scene, model) => ({
    model,
    max_tokens: 731,
    tools: [lookUp, spell],
    tool_choice: { type: 'any', disable_parallel_tool_use: true },
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Which of these is the sea?' },
          ...[jpeg, png].map(({ mime, base64: data }) => ({
            type: 'image',
            source: { type: 'base64', media_type: mime, data },
          })),
          { type: 'image', source: { type: 'url', url: imageHttpsUrl } },
          { type: 'text', text: scene.prompt() },
        ],
      },
    ],
  }),
  'compat-b': (scene) => ({
    contents: [
      {
        role: 'user',
        parts: [
          { text: 'Which of these is the sea?' },
          ...[jpeg, png].map(({ mime: mimeType, base64: data }) => ({ inlineData: { mimeType, data } })),
          { fileData: { mimeType: 'image/png', fileUri: imageHttpsUrl } },
          { text: scene.prompt() },
        ],
      },
    ],
  }),
};

/** Requests with a named tool or a form of the answer. A gateway may refuse them where an upstream has no words for it. */
const formed: typeof bodies = {
  'compat-a': (scene, model) => ({
    model,
    max_tokens: 731,
    top_p: 0.5,
    tools: [lookUp, spell],
    tool_choice: { type: 'tool', name: 'spell' },
    messages: [{ role: 'user', content: scene.prompt() }],
  }),
  'compat-b': (scene) => ({
    contents: [{ role: 'user', parts: [{ text: `${scene.prompt()} Answer as a JSON object.` }] }],
    generationConfig: { topP: 0.5, seed: 731, responseMimeType: 'application/json' },
  }),
};

export const toldInOtherWords = defineCheck({
  id: 'faces.request.other-dialect',
  title: 'an upstream of another dialect is asked for all that the request of a compat path says',
  requirements: ['COMPA-001', 'COMPA-021', 'COMPB-004', 'COMPB-005', 'COMPB-018'],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.routes.trio'],
  run: async (parts) => {
    let judged = 0;
    for (const protocol of compatThere(parts.target))
      for (const route of await routesServed(parts, protocol, 'trio')) {
        judged += 1;
        await part(() => judgeRoute(parts, protocol, route));
      }
    if (judged === 0)
      throw new Untestable('upstream.routes of kind trio with a model that a compat path serves');
  },
});

async function judgeRoute(
  parts: CheckParts,
  protocol: Protocol,
  { model, channels }: RouteProfile,
): Promise<void> {
  const forms = await formsOn(parts, { protocol, model });
  const wanted = channels.filter(({ dialect }) => dialect !== protocol.dialect).map(({ name }) => name);
  for (const body of [bodies, pictured, formed])
    await untilAsked(parts, wanted, async (nth) => {
      const call = { model, stream: forms[nth % forms.length] === true, mayRefuse: body !== bodies };
      return (await judgeCall(parts, protocol, call, body[protocol.name])) ?? wanted;
    });
}

interface Asking {
  readonly model: string;
  readonly stream: boolean;
  readonly mayRefuse: boolean;
}

/** Sends the request and compares it with what reached its upstream. Returns the channels asked; null for a refusal. */
async function judgeCall(
  { cases, newScene, http, judge }: CheckParts,
  protocol: Protocol,
  { model, stream, mayRefuse }: Asking,
  bodyFor: ((scene: Scene, model: string) => JsonObject) | undefined,
): Promise<string[] | null> {
  cases.count();
  const scene = newScene();
  await scene.script({ text: 'So it is.' });
  const body = bodyFor?.(scene, model) ?? {};
  const label = `${protocol.name}, all that every dialect has, ${model}`;
  const exchange = await protocol.send(http, model, body, { label, stream });
  const isOfA = protocol.name === 'compat-a';
  const rule = { requirement: isOfA ? 'COMPA-001' : 'COMPB-004', aspect: 'served-elsewhere' };
  if (mayRefuse && exchange.response?.status === 400) return null;
  readSaid(judge, protocol, exchange, { ...rule, model, stream });
  const call = callOf(exchange) as Call;
  const requests = await scene.requestsNow();
  for (const { entry, text } of requests)
    for (const fault of requestFaults(exchange, call, { path: entry.request.path, text }))
      flag(false, { ...fault, exchange, upstream: text.slice(0, 1_500) });
  return requests.map(({ entry }) => entry.channel);
}
