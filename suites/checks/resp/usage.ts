import fc from 'fast-check';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { allOf, asStream, type NativeCounts } from '../../generators/native/answer.ts';
import { native } from '../../generators/native-answer.ts';
import { naturalText } from '../../generators/natural-text.ts';
import { tokenCounts } from '../../generators/token-counts.ts';
import { plainAccepted, streamAccepted } from '../../oracle/accepted.ts';
import { isErrorEvent } from '../../oracle/chunk.ts';
import type { Usage } from '../../oracle/completion.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { threeTools } from '../../oracle/sample-tools.ts';
import { must, part } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { parseJson } from '../../values/json.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';
import { readSse } from '../../wire/sse.ts';

type Conversation = readonly { readonly role: string; readonly content: string }[];

const sentence = naturalText.map(({ prompt }) => prompt);
const turn = (role: string): fc.Arbitrary<Conversation[number]> =>
  sentence.map((content) => ({ role, content }));

/**
 * A legal conversation of plain text: an optional system message, then alternating turns, with the user last.
 */
const conversation: fc.Arbitrary<Conversation> = fc
  .record({
    system: fc.option(turn('system')),
    exchanges: fc.array(fc.tuple(turn('user'), turn('assistant')), { maxLength: 2 }),
    last: turn('user'),
  })
  .map(({ system, exchanges, last }) => [...(system === null ? [] : [system]), ...exchanges.flat(), last]);

const oddCounts = { prompt_tokens: 1237, completion_tokens: 89, cached_tokens: 64 };

export const usageIsTheUpstreams = defineCheck({
  id: 'resp.usage.verbatim',
  title: "usage repeats the upstream's token counts, cached ones included, plain and streamed",
  requirements: ['RESP-022', 'SSE-011'],
  kind: 'property',
  needs: ['upstream.control'],
  run: async ({ cases, newScene, http, judge, target }) => {
    const models = dialectModels(target);
    const counted = models.map((model) =>
      fc.record({ model: fc.constant(model), counts: tokenCounts(dialectOf(model)) }),
    );
    await cases.forAll(
      fc.oneof(...counted),
      async ({ model, counts }) => {
        const scene = newScene();
        await scene.script({ text: 'Counted elsewhere.', usage: { ...counts } });
        const plain = await http.chat(scene.minimal(model), { label: model });
        judgeVerbatim(judge.completed(plain, { ...plainAccepted, model }).usage, counts, 'RESP-022', plain);
        const body = { ...scene.minimal(model), stream: true };
        const stream = await http.chat(body, { label: `${model}, stream` });
        judgeVerbatim(judge.streamed(stream, { ...streamAccepted, model }).usage, counts, 'SSE-011', stream);
      },
      { quick: 15, examples: models.map((model) => ({ model, counts: oddCounts })) },
    );
  },
});

function judgeVerbatim(seen: Usage, counts: NativeCounts, requirement: string, exchange: Exchange): void {
  const finding = { requirement, expected: JSON.stringify(counts), actual: JSON.stringify(seen), exchange };
  const { prompt_tokens: prompt, completion_tokens: completion } = counts;
  const isSame = seen.prompt_tokens === prompt && seen.completion_tokens === completion;
  must(isSame, { ...finding, aspect: 'verbatim' });
  // Absence counts as 0 (reading B-37).
  const cached = seen.prompt_tokens_details?.cached_tokens ?? 0;
  must(cached === (counts.cached_tokens ?? 0), { ...finding, aspect: 'cached-verbatim' });
}

/** Allowed codes for an upstream that reports no counts, if the gateway does not count itself. */
const failures: readonly ErrorCode[] = [
  'upstream_error',
  'internal_error',
  'channel_outage',
  'channel_queue_full',
];

export const silentUpstreamIsNoExcuse = defineCheck({
  id: 'resp.usage.upstream-silent',
  title: 'when the upstream reports no usage, the answer still has some or is a visible failure',
  requirements: ['RESP-014', 'SSE-009'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    for (const model of dialectModels(parts.target)) await part(() => judgeUncounted(parts, model));
  },
});

async function judgeUncounted({ newScene, http, cases, judge }: CheckParts, model: string): Promise<void> {
  const { completion, stream } = native(dialectOf(model));
  const plain = newScene();
  await plain.script(completion({ text: 'Nobody counted this.', usage: null }));
  const answer = await http.chat(plain.minimal(model), { label: `${model}, plain` });
  const own = { requirement: 'RESP-014', aspect: 'uncounted-upstream' };
  cases.count();
  if (isSuccess(answer)) judge.completed(answer, { ...own, model, uncounted: true });
  else judge.refused(answer, { ...own, codes: failures });

  const streamed = newScene();
  await streamed.script(asStream(allOf(stream(['Nobody ', 'counted this.'], { usage: null }))));
  const body = { ...streamed.minimal(model), stream: true };
  const exchange = await http.chat(body, { label: `${model}, stream` });
  cases.count();
  if (!isSuccess(exchange)) judge.refused(exchange, { ...own, requirement: 'SSE-009', codes: failures });
  else if (reportsFailure(exchange.response.body)) judge.broken(exchange);
  else judge.streamed(exchange, { ...own, requirement: 'SSE-009', model, uncounted: true });
}

function reportsFailure(body: Buffer): boolean {
  return readSse(body).events.some((event) => isErrorEvent(parseJson(event.data)));
}

/** The reported prompt tokens of a request. */
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
