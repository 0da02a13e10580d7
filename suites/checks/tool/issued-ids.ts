import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { Scene } from '../../engine/scene.ts';
import type { ToolCall } from '../../oracle/completion.ts';
import { readCaller } from '../../oracle/native/read.ts';
import { turnFault } from '../../oracle/native/same-turns.ts';
import { threeTools } from '../../oracle/sample-tools.ts';
import { must, part } from '../../rules/violation.ts';
import { bothAnswers } from '../../steps/chat/both-answers.ts';
import { nativeModels, readRequest, shown } from '../../steps/chat/upstream-view.ts';

export const roundTrip: Check = defineCheck({
  id: 'tool.follow-up.answered',
  title: 'tool calls sent back with their results are answered on every enabled model',
  requirements: ['TOOL-012'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { target, cases, newScene } = parts;
    for (const model of target.eachModel) {
      cases.count();
      const scene = newScene();
      const question = { role: 'user', content: scene.prompt('Use a tool to look the word "sea" up.') };
      const asked = { model, messages: [question], tools: threeTools };
      const forced = { ...asked, tool_choice: 'required' };
      for (const turn of await bothAnswers(parts, forced, 'TOOL-012', 'tools-accepted')) {
        const rule = { requirement: 'TOOL-012', aspect: 'has-calls', exchange: turn.exchange };
        must(turn.calls.length > 0, { ...rule, expected: 'a tool call to follow up', actual: 'none' });
        const content = turn.content === '' ? null : turn.content;
        const answered = { role: 'assistant', content, tool_calls: turn.calls };
        const results = turn.calls.map((call) => {
          return { role: 'tool', tool_call_id: call.id, content: 'The sea is wide and blue.' };
        });
        const body = { ...asked, tool_choice: 'none', messages: [question, answered, ...results] };
        for (const last of await bothAnswers(parts, body, 'TOOL-012', 'follow-up-accepted')) {
          const final = { requirement: 'TOOL-012', aspect: 'final-content', exchange: last.exchange };
          const hasText = last.content !== null && last.content !== '';
          const expected = 'text in answer to the tool results';
          must(hasText, { ...final, expected, actual: JSON.stringify(last.content) });
        }
      }
    }
  },
});

/** The scripted answers: two calls of one function, then two more calls, then text. */
const rounds = [
  {
    text: 'I look them up.',
    tool_calls: [
      { name: 'look_up', arguments: '{"word":"sea"}' },
      { name: 'look_up', arguments: '{"word":"sky"}' },
    ],
  },
  {
    tool_calls: [
      { name: 'spell', arguments: '{"word":"sea"}' },
      { name: 'look_up', arguments: '{"word":"sea"}' },
    ],
  },
  { text: 'The sea is s-e-a.' },
];

export const issuedIdsAreTaken: Check = defineCheck({
  id: 'tool.follow-up.issued-ids',
  title: 'results under ids issued by the gateway reach their calls over several tool rounds',
  requirements: ['TOOL-016', 'TOOL-014'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    for (const [index, model] of nativeModels(parts.target).entries())
      await part(async () => {
        parts.cases.count();
        // `bare`: without the members that the gateway added to the calls.
        await judgeRounds(parts, model, { stream: index % 2 === 0, bare: index % 3 !== 0 });
      });
  },
});

async function judgeRounds(
  parts: CheckParts,
  model: string,
  { stream, bare }: { stream: boolean; bare: boolean },
): Promise<void> {
  const scene = parts.newScene();
  await scene.script(...rounds);
  const messages: JsonObject[] = [{ role: 'user', content: scene.prompt('Look up sea and sky.') }];
  for (const [round, { tool_calls: made = [] }] of rounds.entries()) {
    const body = { model, messages: [...messages], tools: threeTools, ...(stream ? { stream } : {}) };
    const { content, calls } = await ask(parts, scene, body, round);
    const rule = { requirement: 'TOOL-016', aspect: 'has-calls' };
    const expected = `the ${made.length} calls that the upstream makes in round ${round + 1}`;
    must(calls.length === made.length, { ...rule, expected, actual: `${calls.length} calls` });
    const turn = { role: 'assistant', content: content === '' ? null : content };
    messages.push(
      { ...turn, tool_calls: bare ? calls.map(bareCall) : calls },
      // The results arrive in reverse order.
      ...calls.toReversed().map((call) => ({
        role: 'tool',
        tool_call_id: call.id,
        content: `round ${round}: ${call.function.name} of ${call.function.arguments}`,
      })),
    );
  }
}

/** Sends one request, and judges the answer and the upstream request. */
async function ask(
  { http, judge }: CheckParts,
  scene: Scene,
  body: JsonObject & { model: string; stream?: boolean },
  round: number,
): Promise<{ content: string | null; calls: readonly ToolCall[] }> {
  const exchange = await http.chat(body, { label: `${body.model}, round ${round + 1}` });
  const rule = { requirement: 'TOOL-016', aspect: 'issued-ids-accepted', model: body.model };
  const answer = body.stream === true ? judge.streamed(exchange, rule) : judge.completed(exchange, rule);
  const request = (await scene.requestsNow())[round];
  const arrival = { requirement: 'TOOL-016', aspect: 'reaches-upstream', exchange };
  const asMany = `${round + 1} requests at the upstream`;
  must(request !== undefined, { ...arrival, expected: asMany, actual: 'fewer' });
  const native = readRequest(request);
  const fault = turnFault(readCaller(body), native.view);
  const kept = { ...arrival, aspect: 'issued-ids-kept', upstream: shown(native) };
  const expected = `each result with its own call: ${fault?.expected}`;
  must(fault === null, { ...kept, expected, actual: fault?.actual ?? '' });
  return { content: answer.content, calls: answer.toolCalls };
}

function bareCall({ id, type, function: { name, arguments: args } }: ToolCall): ToolCall {
  return { id, type, function: { name, arguments: args } };
}
