import { isDeepStrictEqual } from 'node:util';
import { type Check, defineCheck } from '../../engine/check.ts';
import { must } from '../../engine/violation.ts';
import { readTurns } from '../../oracle/native-chat.ts';
import { callOf, oneTool, threeTools } from '../../oracle/sample-tools.ts';
import { nativeModels, nativeRequest, shown } from '../chat/upstream-view.ts';
import { bothAnswers } from './both-answers.ts';

const roundTrip = defineCheck({
  id: 'tool.follow-up.answered',
  title:
    'the tool calls of an answer, sent back with their results, are accepted and answered on every enabled model',
  requirements: ['TOOL-012'],
  kind: 'example',
  needs: [],
  run: async (kit) => {
    for (const model of kit.models) {
      kit.countCase();
      const scene = kit.scene();
      const question = { role: 'user', content: scene.prompt('Use a tool to look the word "sea" up.') };
      const asked = { model, messages: [question], tools: threeTools };
      for (const turn of await bothAnswers(
        kit,
        { ...asked, tool_choice: 'required' },
        'TOOL-012',
        'tools-accepted',
      )) {
        must(turn.calls.length > 0, {
          requirement: 'TOOL-012',
          aspect: 'has-calls',
          expected: 'a tool call to follow up',
          actual: 'none',
          exchange: turn.exchange,
        });
        const answered = {
          role: 'assistant',
          content: turn.content === '' ? null : turn.content,
          tool_calls: turn.calls,
        };
        const results = turn.calls.map((call) => ({
          role: 'tool',
          tool_call_id: call.id,
          content: 'The sea is wide and blue.',
        }));
        const body = { ...asked, tool_choice: 'none', messages: [question, answered, ...results] };
        for (const last of await bothAnswers(kit, body, 'TOOL-012', 'follow-up-accepted')) {
          must(last.content !== null && last.content !== '', {
            requirement: 'TOOL-012',
            aspect: 'final-content',
            expected: 'text in answer to the tool results',
            actual: JSON.stringify(last.content),
            exchange: last.exchange,
          });
        }
      }
    }
  },
});

const resultsKeepTheirIds = defineCheck({
  id: 'tool.follow-up.results-by-id',
  title:
    'several tool results reach the upstream each under the id of its own call, in whatever order they were sent',
  requirements: ['TOOL-014'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (kit) => {
    const calls = [
      callOf('call_a1', 'look_up', '{"word":"sea"}'),
      callOf('call_b2', 'look_up', '{"word":"sky"}'),
      callOf('call_c3', 'spell', '{"word":"sea"}'),
    ];
    const results = calls.map((call) => ({
      role: 'tool',
      tool_call_id: call.id,
      content: `result of ${call.id}`,
    }));
    const tools = [oneTool, ...threeTools.slice(1)];
    for (const order of [results, [...results].reverse(), kit.rng.shuffle(results)]) {
      kit.countCase();
      const scene = kit.scene();
      const model = kit.rng.pick(nativeModels(kit));
      const body = {
        model,
        tools,
        messages: [
          { role: 'user', content: scene.prompt() },
          { role: 'assistant', content: null, tool_calls: calls },
          ...order,
        ],
      };
      const exchange = await kit.chat(body, { label: order.map((result) => result.tool_call_id).join(', ') });
      kit.completed(exchange, { requirement: 'TOOL-014', aspect: 'results-accepted', model });
      const native = await nativeRequest(scene, 'TOOL-014', exchange);
      const seen = readTurns(native.json);
      must(isDeepStrictEqual(byId(seen), byId(readTurns(body))), {
        requirement: 'TOOL-014',
        aspect: 'results-by-id',
        expected: 'each result under the id of its call',
        actual: JSON.stringify(seen.slice(1)),
        exchange,
        upstream: shown(native),
      });
    }
  },
});

export const toolFollowUpChecks: readonly Check[] = [roundTrip, resultsKeepTheirIds];

/** Results may be put in the order of their calls on the way: only the pairing counts. */
function byId(turns: ReturnType<typeof readTurns>): unknown {
  const results = turns.filter((turn) => turn.role === 'tool');
  return results
    .map((turn) => [String(turn.answers), turn.parts])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
}
