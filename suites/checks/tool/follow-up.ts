import { type Check, defineCheck } from '../../engine/check.ts';
import { threeTools } from '../../oracle/sample-tools.ts';
import { must } from '../../rules/violation.ts';
import { bothAnswers } from '../../steps/chat/both-answers.ts';

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
