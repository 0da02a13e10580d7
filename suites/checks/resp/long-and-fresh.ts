import { type Check, defineCheck } from '../../engine/check.ts';
import { must } from '../../engine/violation.ts';
import { chatCompletionsModel, nativeEvents, nativeStream } from '../../generators/native-answer.ts';
import { plainAccepted, streamAccepted } from '../../oracle/accepted.ts';
import { judgeSameText } from '../../oracle/same-text.ts';

/** Beyond every buffer and block size that a gateway is likely to have, and far below any bound on answers. */
const paragraphs = 5_000;

const longAnswersArrive = defineCheck({
  id: 'resp.content.long',
  title:
    'an answer of some hundred thousand characters arrives whole, plain, streamed, and streamed in one piece',
  requirements: ['RESP-024', 'SSE-007'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (kit) => {
    const text = Array.from(
      { length: paragraphs },
      (_, index) => `${index}. Die See 🌊 ist grün und groß.\n`,
    ).join('');
    const quarter = Math.ceil(text.length / 4);
    const quarters = [0, 1, 2, 3].map((index) => text.slice(index * quarter, (index + 1) * quarter));
    for (const deltas of [quarters, [text]]) {
      kit.countCase();
      const scene = kit.scene();
      const model = kit.anyModel();
      await scene.script({ text, deltas });
      const plain = await kit.chat(scene.minimal(model), { label: 'a long answer' });
      const { content } = kit.completed(plain, { ...plainAccepted, model });
      judgeSameText(content, text, { requirement: 'RESP-024', aspect: 'text-unchanged', exchange: plain });
      const stream = await kit.chat({ ...scene.minimal(model), stream: true }, { label: 'a long stream' });
      const streamed = kit.streamed(stream, { ...streamAccepted, model });
      judgeSameText(streamed.content, text, {
        requirement: 'SSE-007',
        aspect: 'fragments-join',
        exchange: stream,
      });
    }
  },
});

const equalRequestsAreAskedAgain = defineCheck({
  id: 'resp.content.fresh',
  title: 'a request equal to an earlier one is asked anew: it gets the text and the usage of its own answer',
  requirements: ['RESP-024', 'RESP-022', 'SSE-011'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (kit) => {
    for (const stream of [false, true]) {
      const scene = kit.scene();
      const model = kit.anyModel();
      const answers = ['The first answer.', 'The second one.', 'And a third.'];
      const usage = (index: number): { prompt_tokens: number; completion_tokens: number } => ({
        prompt_tokens: 40,
        completion_tokens: 4 + index,
      });
      await scene.script(...answers.map((text, index) => ({ text, usage: usage(index) })));
      const body = { ...scene.minimal(model), ...(stream ? { stream } : {}) };
      for (const [index, text] of answers.entries()) {
        kit.countCase();
        const exchange = await kit.chat(body, { label: `${index + 1}. of three equal requests` });
        const answer = stream
          ? kit.streamed(exchange, { ...streamAccepted, model })
          : kit.completed(exchange, { ...plainAccepted, model });
        judgeSameText(answer.content, text, {
          requirement: stream ? 'SSE-007' : 'RESP-024',
          aspect: stream ? 'fragments-join' : 'text-unchanged',
          exchange,
        });
        must(answer.usage.completion_tokens === usage(index).completion_tokens, {
          requirement: stream ? 'SSE-011' : 'RESP-022',
          aspect: 'verbatim',
          expected: `the usage of this answer: ${JSON.stringify(usage(index))}`,
          actual: JSON.stringify(answer.usage),
          exchange,
        });
      }
    }
  },
});

const lastUsageCounts = defineCheck({
  id: 'sse.usage.running',
  title: 'when the upstream reports its count as it goes, the last report is the one that is passed on',
  requirements: ['SSE-011'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (kit) => {
    const model = chatCompletionsModel(kit);
    const scene = kit.scene();
    kit.countCase();
    let completion = 0;
    const events = nativeEvents(['one ', 'two ', 'three'], { usage: null }).map((event) => {
      if (event.includes('[DONE]')) return event;
      completion += 3;
      return event.replace('{', `{"usage":${JSON.stringify(counts(completion))},`);
    });
    await scene.script(nativeStream(events.join('')));
    const exchange = await kit.chat({ ...scene.minimal(model), stream: true }, { label: 'running counts' });
    const { usage } = kit.streamed(exchange, { ...streamAccepted, model });
    must(usage.prompt_tokens === 12 && usage.completion_tokens === completion, {
      requirement: 'SSE-011',
      aspect: 'verbatim',
      expected: JSON.stringify(counts(completion)),
      actual: JSON.stringify(usage),
      exchange,
    });
  },
});

export const longAndFreshChecks: readonly Check[] = [
  longAnswersArrive,
  equalRequestsAreAskedAgain,
  lastUsageCounts,
];

function counts(completion: number): object {
  return { prompt_tokens: 12, completion_tokens: completion, total_tokens: 12 + completion };
}
