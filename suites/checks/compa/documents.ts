import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import { pdf } from '../../oracle/sample-media.ts';
import { must } from '../../rules/violation.ts';
import { isSuccess } from '../../wire/exchange.ts';
import { answered, arrivedAsSent, betaModels, refused, refusesStream } from './message-calls.ts';

const data = pdf.base64;
const document = { type: 'document', source: { type: 'base64', media_type: pdf.mime, data } };

/** Where the text contradicts itself about a model, this path must agree with the core path (reading B-27). */
export const documentsAreOneAnswer = defineCheck({
  id: 'compa.vision.documents',
  title: 'beta models that take media take a native PDF, and it reaches the upstream',
  requirements: ['COMPA-013', 'COMPA-021', 'COMPA-006'],
  kind: 'upstream',
  needs: ['compat.a', 'upstream.control'],
  run: async (parts) => {
    for (const model of betaModels(parts.target)) {
      const isOpen = chatModel(model)?.vision === 'open';
      const taken = isOpen ? await takenOnCore(parts, model) : true;
      for (const stream of [false, true]) {
        for (const place of [0, 1]) await judgeDocument(parts, model, { stream, place, taken, isOpen });
      }
    }
  },
});

/** A PDF in every place of a native request that may have one. */
function places(prompt: string): [string, JsonObject][] {
  const text = { type: 'text', text: prompt };
  const call = { type: 'tool_use', id: 'toolu_1', name: 'look_up', input: {} };
  return [
    ['in the last turn', { messages: [{ role: 'user', content: [document, text] }] }],
    [
      'in a tool result',
      {
        tools: [{ name: 'look_up', input_schema: { type: 'object' } }],
        messages: [
          { role: 'user', content: 'Look it up.' },
          { role: 'assistant', content: [call] },
          {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [document] }, text],
          },
        ],
      },
    ],
  ];
}

async function judgeDocument(
  { newScene, http, cases, judge }: CheckParts,
  model: string,
  { stream, place, taken, isOpen }: { stream: boolean; place: number; taken: boolean; isOpen: boolean },
): Promise<void> {
  const scene = newScene();
  const [where = '', members = {}] = places(scene.prompt())[place] ?? [];
  const body = { ...scene.minimalA(model), ...members, ...(stream ? { stream } : {}) };
  const exchange = await http.compatA(body, {
    label: `a PDF ${where} on ${model}${stream ? ', streamed' : ''}`,
  });
  if (stream && refusesStream(judge, exchange)) return;
  // Where the core path accepts more than it must, this path may refuse.
  if (taken && !(isOpen && exchange.response?.status === 400)) {
    answered(cases, exchange, body, { requirement: 'COMPA-013', aspect: 'document-accepted' });
    await arrivedAsSent(scene, body, exchange, 'COMPA-021');
    return;
  }
  cases.count();
  const rule = { requirement: 'COMPA-013', aspect: 'document-refused' };
  const expected = `400 unsupported_capability, as on the core path of ${model}`;
  must(!isSuccess(exchange), { ...rule, expected, actual: 'HTTP 200', exchange });
  refused(judge, exchange, { ...rule, codes: ['unsupported_capability'] });
}

/** Whether the core path accepts the same file on this model. */
async function takenOnCore({ newScene, http, judge }: CheckParts, model: string): Promise<boolean> {
  const content = [
    { type: 'text', text: newScene().prompt() },
    { type: 'image_url', image_url: { url: pdf.dataUri } },
  ];
  const body = { model, messages: [{ role: 'user', content }] };
  const exchange = await http.chat(body, { label: `the same on the core path of ${model}` });
  const taken = isSuccess(exchange);
  judge.note(`${taken ? 'takes' : 'refuses'} a PDF on ${model} (B-27)`);
  return taken;
}
