import { type Check, defineCheck } from '../../engine/check.ts';
import { threeTools } from '../../oracle/sample-tools.ts';
import { must, part } from '../../rules/violation.ts';
import { bothAnswers } from '../../steps/chat/both-answers.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import type { Exchange } from '../../wire/exchange.ts';

const prompt = 'Describe the sea as a short JSON object with the keys colour and depth.';

export const jsonObjectParses: Check = defineCheck({
  id: 'chat.json-object.parses',
  title: 'with response_format json_object a finished answer is JSON, on every enabled model',
  requirements: ['CHAT-034'],
  kind: 'example',
  needs: [],
  run: async ({ target, cases, newScene, http, judge }) => {
    for (const model of target.eachModel) {
      cases.count();
      const body = { ...newScene().minimal(model, prompt), response_format: { type: 'json_object' } };
      const expected = { requirement: 'CHAT-034', aspect: 'json-object-accepted', model };
      const plain = await http.chat(body, { label: `plain on ${model}` });
      const whole = judge.completed(plain, expected);
      if (whole.finishReason === 'stop') judgeJson(whole.content ?? '', 'content-parses', plain);
      const stream = await http.chat({ ...body, stream: true }, { label: `streamed on ${model}` });
      const streamed = judge.streamed(stream, expected);
      if (streamed.finishReason === 'stop') judgeJson(streamed.content, 'stream-parses', stream);
    }
  },
});

export const jsonObjectBesideTools: Check = defineCheck({
  id: 'chat.json-object.beside-tools',
  title: 'with tools in the request, json_object still forces JSON and none still forbids calls',
  requirements: ['CHAT-034', 'CHAT-029'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { cases, newScene, target } = parts;
    for (const model of dialectModels(target))
      await part(async () => {
        // A model may happen to call no tool, so `none` runs three times.
        for (const choice of ['none', 'none', 'none', 'auto']) {
          cases.count();
          const body = {
            ...newScene().minimal(model, prompt),
            tools: threeTools,
            tool_choice: choice,
            response_format: { type: 'json_object' },
          };
          for (const { content, calls, finishReason, exchange } of await bothAnswers(
            parts,
            body,
            'CHAT-034',
            'json-object-accepted',
          )) {
            const rule = { requirement: 'CHAT-029', aspect: 'none-forbids', exchange };
            const actual = `${calls.length} calls, finish_reason ${finishReason}`;
            must(choice === 'auto' || calls.length === 0, { ...rule, expected: 'no tool call', actual });
            if (finishReason === 'stop') judgeJson(content ?? '', 'content-parses', exchange);
          }
        }
      });
  },
});

function judgeJson(content: string, aspect: string, exchange: Exchange): void {
  const parses = ((): boolean => {
    try {
      JSON.parse(content);
      return true;
    } catch {
      return false;
    }
  })();
  const rule = { requirement: 'CHAT-034', aspect, exchange };
  must(parses, { ...rule, expected: 'content that is a JSON document', actual: content.slice(0, 300) });
}
