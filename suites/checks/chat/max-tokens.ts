import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { must, part } from '../../rules/violation.ts';
import { familyModels } from '../../steps/chat/upstream-view.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** Requests far more tokens than the caps allow. */
const longPrompt = 'Count from one to fifty in words.';

const caps = [1, 5, 16] as const;

export const capHolds = defineCheck({
  id: 'chat.max-tokens.caps',
  title: 'no completion has more tokens than max_tokens',
  requirements: ['CHAT-021'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    for (const model of familyModels(parts.target))
      await part(async () => {
        for (const cap of caps)
          await both(parts, { ...parts.newScene().minimal(model, longPrompt), max_tokens: cap });
      });
  },
});

export const cutEndsWithLength = defineCheck({
  id: 'chat.max-tokens.cut',
  title: 'an answer cut by max_tokens is the start of the text, with finish_reason length',
  requirements: ['CHAT-021'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const text = words(60);
    for (const model of familyModels(parts.target))
      await part(async () => {
        for (const cap of caps) {
          const scene = parts.newScene();
          await scene.script({ text });
          const body = { ...scene.minimal(model), max_tokens: cap };
          for (const ending of await both(parts, body)) judgeCut(text, ending);
        }
      });
  },
});

/** Text of so many words, each of one token or more. */
function words(count: number): string {
  return Array.from({ length: count }, (_, index) => `word${index}`).join(' ');
}

interface Ending {
  readonly content: string;
  readonly finishReason: string;
  readonly exchange: Exchange;
}

/** The same request plain and streamed, each judged completely. */
async function both({ http, judge, cases }: CheckParts, body: JsonObject): Promise<Ending[]> {
  const model = String(body.model);
  const maxTokens = typeof body.max_tokens === 'number' ? body.max_tokens : undefined;
  const expected = { requirement: 'CHAT-021', aspect: 'caps-accepted', model, maxTokens };
  const plain = await http.chat(body, { label: 'plain' });
  const whole = judge.completed(plain, expected);
  const stream = await http.chat({ ...body, stream: true }, { label: 'streamed' });
  const streamed = judge.streamed(stream, expected);
  cases.count();
  return [
    { content: whole.content ?? '', finishReason: whole.finishReason, exchange: plain },
    { content: streamed.content, finishReason: streamed.finishReason, exchange: stream },
  ];
}

function judgeCut(text: string, { content, finishReason, exchange }: Ending): void {
  const isStart = text.startsWith(content) && content.length < text.length;
  const start = { requirement: 'CHAT-021', aspect: 'cut-is-a-start', exchange };
  const expected = `a start of "${text.slice(0, 30)}…"`;
  must(isStart, { ...start, expected, actual: JSON.stringify(content) });
  const end = { requirement: 'CHAT-021', aspect: 'cut-ends-with-length', exchange };
  must(finishReason === 'length', { ...end, expected: 'finish_reason length', actual: finishReason });
}
