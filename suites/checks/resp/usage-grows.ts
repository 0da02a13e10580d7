import fc from 'fast-check';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { type Conversation, conversation } from '../../generators/conversation.ts';
import { plainAccepted } from '../../oracle/accepted.ts';
import { threeTools } from '../../oracle/sample-tools.ts';
import { must } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** How many tokens the prompt of a request was counted as. */
interface Counted {
  readonly promptTokens: number;
  readonly exchange: Exchange;
}

export const promptTokensCoverMessages = defineCheck({
  id: 'resp.usage.covers-messages',
  title: 'one more message, and more words in any message, raise prompt_tokens',
  requirements: ['RESP-016'],
  kind: 'metamorphic',
  needs: [],
  run: async (parts) => {
    const { cases, target, newScene } = parts;
    await cases.forAll(
      fc.record({
        turns: conversation,
        extra: fc.constantFrom('And again?', 'Go on, please.', 'Why is that so?'),
      }),
      async ({ turns, extra }) => {
        const model = target.anyModel();
        const mark = newScene().prompt('Be brief.');
        const counted = (label: string, messages: Conversation): Promise<Counted> =>
          countPrompt(parts, { model, messages: marked(messages, mark), max_tokens: 16 }, label);
        const base = await counted('base', turns);
        const appended = [...turns, { role: 'assistant', content: 'Yes.' }, { role: 'user', content: extra }];
        judgeGrowth(base, await counted('two more messages', appended), 'RESP-016', 'another-message');
        for (const [place, turn] of turns.entries()) {
          const longer = turns.with(place, { ...turn, content: `${turn.content} Moreover, ${extra}` });
          const grown = await counted(`message ${place} (${turn.role}) longer`, longer);
          judgeGrowth(base, grown, 'RESP-016', 'longer-message');
        }
      },
      { quick: 4, full: 30, smoke: 1 },
    );
  },
});

export const promptTokensCoverTools = defineCheck({
  id: 'resp.usage.covers-tools',
  title: 'each tool that is added to a request raises prompt_tokens',
  requirements: ['RESP-017'],
  kind: 'metamorphic',
  needs: [],
  run: async (parts) => {
    const { target, newScene, cases } = parts;
    for (const model of target.eachModel) {
      const body = { ...newScene().minimal(model), max_tokens: 16 };
      let before = await countPrompt(parts, body, `${model} without tools`);
      for (let count = 1; count <= threeTools.length; count += 1) {
        cases.count();
        const more = { ...body, tools: threeTools.slice(0, count) };
        const after = await countPrompt(parts, more, `${model} with ${count} tools`);
        judgeGrowth(before, after, 'RESP-017', 'another-tool');
        before = after;
      }
    }
  },
});

async function countPrompt(
  { http, judge }: CheckParts,
  body: JsonObject & { model: string },
  label: string,
): Promise<Counted> {
  const exchange = await http.chat(body, { label });
  const { usage } = judge.completed(exchange, { ...plainAccepted, model: body.model });
  return { promptTokens: usage.prompt_tokens, exchange };
}

function judgeGrowth(before: Counted, after: Counted, requirement: string, aspect: string): void {
  const rule = { requirement, aspect, exchange: after.exchange, twin: before.exchange };
  const expected = `more than the ${before.promptTokens} prompt_tokens of the shorter request`;
  const actual = `${after.promptTokens} prompt_tokens`;
  must(after.promptTokens > before.promptTokens, { ...rule, expected, actual });
}

/** Puts the marker into the first user message, by which the upstream knows the scene. */
function marked(messages: Conversation, mark: string): Conversation {
  const place = messages.findIndex((message) => message.role === 'user');
  return messages.map((message, index) =>
    index === place ? { ...message, content: `${message.content} ${mark}` } : message,
  );
}
