import { defineCheck } from '../../engine/check.ts';
import { bodyOfLegal, type LegalRequest, legalChatRequest } from '../../generators/legal-chat-request.ts';
import { type ForwardedField, forwardedFields } from '../../oracle/native/same-fields.ts';
import { callOf, threeTools } from '../../oracle/sample-tools.ts';
import { judgeAccepted } from '../../steps/chat/judge-cell.ts';
import { judgeField, judgeTurns } from '../../steps/chat/judge-forwarded.ts';
import { dialectModels, familyModels, nativeModels, nativeRequest } from '../../steps/chat/upstream-view.ts';

/** All fields that must arrive as given, with values that are no defaults. */
const everyField = {
  temperature: 0.7,
  max_tokens: 512,
  stop: ['###', 'END'],
  seed: 20261121,
  tools: threeTools,
  tool_choice: { type: 'function', function: { name: 'spell' } },
  response_format: { type: 'json_object' },
};

/** Each kind of turn with long text, in characters and line ends that careless code normalises. */
const longText = 'Die See 🌊 ist gru\u0308n und groß.\t\r\n'.repeat(600);
const longTurns = [
  { role: 'system', content: `Speak like a sailor. ${longText}` },
  { role: 'user', content: `What is the sea? ${longText}` },
  { role: 'assistant', content: `Let me see. ${longText}`, tool_calls: [callOf('call_long')] },
  { role: 'tool', tool_call_id: 'call_long', content: `Salt water. ${longText}` },
  { role: 'assistant', content: `So it is. ${longText}` },
  // A call without arguments, which each dialect writes in its own way.
  { role: 'user', content: 'What time is it?' },
  { role: 'assistant', content: null, tool_calls: [callOf('call_none', 'look_up', '{}')] },
  { role: 'tool', tool_call_id: 'call_none', content: 'Noon.' },
  { role: 'assistant', content: 'It is noon.' },
];

/** Longer than any gateway's nesting limit. It catches a gateway that counts brackets inside strings. */
const brackets = '[{'.repeat(600);

/** Texts that end in backslashes, any number of them, each before a text of brackets. */
const escapedTurns = [1, 2, 3, 4, 5].flatMap((count) => {
  const end = '\\'.repeat(count);
  const args = JSON.stringify({ path: `C:${end}`, list: brackets, quoted: `"${end}"` });
  return [
    { role: 'user', content: `Is it C:${end}` },
    {
      role: 'assistant',
      content: `${brackets}${end}`,
      tool_calls: [callOf(`call_${count}`, 'look_up', args)],
    },
    { role: 'tool', tool_call_id: `call_${count}`, content: `"${end}"${brackets}${end}` },
    { role: 'assistant', content: `${brackets}"${end}` },
  ];
});

export const turnsArrive = defineCheck({
  id: 'chat.transcript.unchanged',
  title: 'every turn reaches the upstream, in its order and with its content unchanged',
  requirements: ['CHAT-010'],
  kind: 'property',
  needs: ['upstream.control'],
  run: async ({ cases, newScene, http, target, judge }) => {
    const judgeRequest = async (request: LegalRequest, aspect: string): Promise<void> => {
      const scene = newScene();
      const body = bodyOfLegal(request, scene.prompt());
      const label = `${request.history.length} turns before the prompt`;
      const exchange = await http.chat(body, { label });
      judgeAccepted(judge, body, exchange, { requirement: 'CHAT-010', aspect });
      judgeTurns(body, await nativeRequest(scene, 'CHAT-010', exchange), exchange);
    };
    const options = { tools: threeTools };
    for (const model of dialectModels(target)) {
      cases.count();
      await judgeRequest({ model, history: escapedTurns, options }, 'escapes-accepted');
    }
    await cases.forAll(
      legalChatRequest(nativeModels(target)),
      (request) => judgeRequest(request, 'transcript-accepted'),
      {
        quick: 30,
        full: 800,
        examples: dialectModels(target).map((model) => ({ model, history: longTurns, options })),
      },
    );
  },
});

export const valuesArrive = defineCheck({
  id: 'chat.values.unchanged',
  title: 'sampling values, stop, tools and response_format reach the upstream unchanged, none added',
  requirements: ['CHAT-050', 'CHAT-013', 'CHAT-016'],
  kind: 'property',
  needs: ['upstream.control'],
  run: async ({ cases, newScene, http, target, judge }) => {
    const models = nativeModels(target);
    const json = { type: 'json_object' };
    const special = [
      { temperature: 0, seed: 0 },
      {},
      { top_p: 0.35 },
      everyField,
      // Some dialects have no JSON mode with tools; the gateway must request JSON in another way.
      { tools: threeTools, response_format: json },
      { tools: threeTools, tool_choice: 'none', response_format: json },
    ];
    const examples = familyModels(target).flatMap((model) =>
      special.map((options): LegalRequest => ({ model, history: [], options })),
    );
    await cases.forAll(
      legalChatRequest(models),
      async (request) => {
        const scene = newScene();
        const body = bodyOfLegal(request, scene.prompt());
        const label = `with ${Object.keys(request.options).join(', ') || 'nothing'}`;
        const exchange = await http.chat(body, { label });
        judgeAccepted(judge, body, exchange, { requirement: 'CHAT-050', aspect: 'values-accepted' });
        const native = await nativeRequest(scene, 'CHAT-050', exchange);
        for (const name of forwardedFields)
          judgeField(name, { body, native, exchange }, ruleOf(name, body[name]));
      },
      { quick: 30, full: 1_000, examples },
    );
  },
});

/** The rule that a changed value breaks. */
function ruleOf(name: ForwardedField, sent: unknown): { requirement: string; aspect: string } {
  if (name === 'temperature' && sent === undefined)
    return { requirement: 'CHAT-013', aspect: 'default-is-one' };
  if (name === 'temperature' && sent === 0) return { requirement: 'CHAT-013', aspect: 'explicit-zero' };
  if (name === 'top_p') {
    return { requirement: 'CHAT-016', aspect: sent === undefined ? 'default-is-one' : 'explicit-value' };
  }
  return { requirement: 'CHAT-050', aspect: `forwards-${name.replaceAll('_', '-')}` };
}
