import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { plainAccepted, streamAccepted } from '../../oracle/accepted.ts';
import { judgeSameText } from '../../oracle/same-text.ts';
import { must, part } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';

/** Larger than any likely buffer of a gateway, far below any bound on answers. */
const paragraphs = 5_000;
const manyPieces = 10_000;

export const longAnswersArrive = defineCheck({
  id: 'resp.content.long',
  title: 'an answer of some hundred thousand characters arrives whole, plain and streamed',
  requirements: ['RESP-024', 'SSE-007'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { cases, rng, target } = parts;
    const lines = Array.from({ length: paragraphs }, (_, at) => `${at}. Die See 🌊 ist grün und groß.\n`);
    const text = lines.join('');
    const quarter = Math.ceil(text.length / 4);
    const quarters = [0, 1, 2, 3].map((index) => text.slice(index * quarter, (index + 1) * quarter));
    for (const model of dialectModels(target))
      await part(async () => {
        await judgeLong(parts, model, text, quarters);
        await judgeLong(parts, model, text, [text]);
      });
    // The expensive ones, on one model in a quick run: a piece of a megabyte, and very many small pieces.
    const megabyte = text.repeat(Math.ceil(1_100_000 / Buffer.byteLength(text)));
    const words = Array.from({ length: manyPieces }, (_, index) => (index % 10 === 9 ? '🌊\n' : `${index} `));
    const models = dialectModels(target);
    for (const model of cases.full ? models : [rng.pick(models)]) {
      await judgeLong(parts, model, megabyte, [megabyte]);
      await judgeLong(parts, model, words.join(''), words);
    }
  },
});

export const equalRequestsAreAskedAgain = defineCheck({
  id: 'resp.content.fresh',
  title: 'a repeated request is not answered from an earlier one: it gets its own text and usage',
  requirements: ['RESP-024', 'RESP-022', 'SSE-011'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    for (const model of dialectModels(parts.target))
      for (const stream of [false, true]) await judgeFresh(parts, model, stream);
  },
});

async function judgeLong(
  { cases, newScene, http, judge }: CheckParts,
  model: string,
  text: string,
  deltas: readonly string[],
): Promise<void> {
  cases.count();
  const scene = newScene();
  // Some upstreams require a limit, which the gateway sets where the caller names none.
  await scene.script({ text, deltas: [...deltas], obey: false });
  const label = `${text.length} characters in ${deltas.length} pieces on ${model}`;
  const plain = await http.chat(scene.minimal(model), { label });
  const { content } = judge.completed(plain, { ...plainAccepted, model });
  judgeSameText(content, text, { requirement: 'RESP-024', aspect: 'text-unchanged', exchange: plain });
  const stream = await http.chat({ ...scene.minimal(model), stream: true }, { label: `${label}, streamed` });
  const streamed = judge.streamed(stream, { ...streamAccepted, model });
  judgeSameText(streamed.content, text, {
    requirement: 'SSE-007',
    aspect: 'fragments-join',
    exchange: stream,
  });
}

async function judgeFresh(
  { newScene, cases, http, judge }: CheckParts,
  model: string,
  stream: boolean,
): Promise<void> {
  const scene = newScene();
  const answers = ['The first answer.', 'The second one.', 'And a third.'];
  const usage = (index: number) => ({ prompt_tokens: 40, completion_tokens: 4 + index });
  await scene.script(...answers.map((text, index) => ({ text, usage: usage(index) })));
  const body = { ...scene.minimal(model), ...(stream ? { stream } : {}) };
  for (const [index, text] of answers.entries()) {
    cases.count();
    const exchange = await http.chat(body, { label: `${index + 1}. of three equal requests` });
    const answer = stream
      ? judge.streamed(exchange, { ...streamAccepted, model })
      : judge.completed(exchange, { ...plainAccepted, model });
    const content = stream
      ? { requirement: 'SSE-007', aspect: 'fragments-join' }
      : { requirement: 'RESP-024', aspect: 'text-unchanged' };
    judgeSameText(answer.content, text, { ...content, exchange });
    const rule = { requirement: stream ? 'SSE-011' : 'RESP-022', aspect: 'verbatim', exchange };
    const expected = `the usage of this answer: ${JSON.stringify(usage(index))}`;
    const actual = JSON.stringify(answer.usage);
    must(answer.usage.completion_tokens === usage(index).completion_tokens, { ...rule, expected, actual });
  }
}
