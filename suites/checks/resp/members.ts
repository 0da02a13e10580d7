import fc from 'fast-check';
import { defineCheck } from '../../engine/check.ts';
import { cutText, fragmentedText } from '../../generators/fragmented-text.ts';
import { allOf, asStream } from '../../generators/native/answer.ts';
import { native } from '../../generators/native-answer.ts';
import { hostileTexts } from '../../generators/upstream-text.ts';
import { plainAccepted, streamAccepted } from '../../oracle/accepted.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { judgeSameText } from '../../oracle/same-text.ts';
import { must, Untestable } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { withEachUsageForm } from '../../steps/money/each-usage-form.ts';

export const contentIsTheUpstreams = defineCheck({
  id: 'resp.content.verbatim',
  title: "the upstream's text arrives unchanged, plain and streamed, however it is split",
  requirements: ['RESP-024', 'SSE-007'],
  kind: 'property',
  needs: ['upstream.control'],
  run: async ({ cases, target, newScene, http, judge }) => {
    await cases.forAll(
      fc.record({ cut: fragmentedText, model: fc.constantFrom(...target.models) }),
      async ({ cut: { text, fragments }, model }) => {
        const scene = newScene();
        await scene.script({ text, deltas: [...fragments] });
        const plain = await http.chat(scene.minimal(model), { label: 'plain' });
        const answer = judge.completed(plain, { ...plainAccepted, model });
        const whole = { requirement: 'RESP-024', aspect: 'text-unchanged', exchange: plain };
        judgeSameText(answer.content, text, whole);
        const stream = await http.chat({ ...scene.minimal(model), stream: true }, { label: 'stream' });
        const streamed = judge.streamed(stream, { ...streamAccepted, model });
        const joined = { requirement: 'SSE-007', aspect: 'fragments-join', exchange: stream };
        judgeSameText(streamed.content, text, joined);
      },
      {
        examples: dialectModels(target).flatMap((model) =>
          hostileTexts.map((text) => ({ cut: cutText(text, [1, 7, 23, text.length - 1]), model })),
        ),
      },
    );
  },
});

/** Wrong upstream clocks: long ago, the epoch, far ahead, in milliseconds. */
const upstreamClocks = [1_000_000_000, 0, 4_000_000_000, 1_900_000_000_000];

export const createdIsNow = defineCheck({
  id: 'resp.created.now',
  title: 'created is the present time in seconds, whatever the clock of the upstream says',
  requirements: ['RESP-003'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async ({ target, rng, cases, newScene, http, judge }) => {
    // Answers of the other dialects have no timestamp.
    const telling = target.models.filter((id) => dialectOf(id) === 'chat-completions');
    if (telling.length === 0) throw new Untestable('an enabled alpha-* or delta-* model');
    const model = rng.pick(telling);
    const { completion, stream } = native('chat-completions');
    for (const created of upstreamClocks) {
      cases.count();
      const expected = { requirement: 'RESP-003', aspect: 'accepts-any-upstream-clock', model };
      const plain = newScene();
      await plain.script(completion({ text: 'What time is it?', created }));
      const answer = await http.chat(plain.minimal(model), { label: `upstream clock ${created}` });
      judge.completed(answer, expected);
      const streamed = newScene();
      await streamed.script(asStream(allOf(stream(['What time ', 'is it?'], { created }))));
      const body = { ...streamed.minimal(model), stream: true };
      const exchange = await http.chat(body, { label: `streamed, upstream clock ${created}` });
      judge.streamed(exchange, expected);
    }
  },
});

/** Calls of each form: fifty in all show ids that are too short or come from a clock. */
const callsEach = { smoke: 3, quick: 26, full: 26 };

export const idsAreDistinct = defineCheck({
  id: 'resp.id.distinct',
  title: 'every completion has its own id, also for identical and concurrent requests',
  requirements: ['RESP-001', 'SSE-013'],
  kind: 'concurrency',
  needs: [],
  run: async ({ target, newScene, http, judge, cases }) => {
    const model = target.anyModel();
    const plain = { ...newScene().minimal(model), max_tokens: 16 };
    const ids = new Map<string, string>();
    const one = async (index: number): Promise<void> => {
      const streamed = index % 2 === 1;
      const label = `${streamed ? 'stream' : 'plain'} ${index + 1}`;
      const exchange = await http.chat(streamed ? { ...plain, stream: true } : plain, { label });
      const expected = { requirement: 'RESP-001', aspect: 'accepts-again', model };
      const { id } = streamed ? judge.streamed(exchange, expected) : judge.completed(exchange, expected);
      cases.count();
      const earlier = ids.get(id);
      const requirement = streamed && earlier?.startsWith('stream') ? 'SSE-013' : 'RESP-001';
      const rule = { requirement, aspect: 'distinct-ids', exchange };
      const actual = `${id}, the id of ${earlier}`;
      must(earlier === undefined, { ...rule, expected: 'an id that no other completion has', actual });
      ids.set(id, label);
    };
    await Promise.all(Array.from({ length: 2 * callsEach[target.size] }, (_, index) => one(index)));
  },
});

export const modelIsOfTheCatalogue = defineCheck({
  id: 'resp.model.catalogue-name',
  title: "the answer names the model by its catalogue id, never by the upstream's name for it",
  requirements: ['RESP-004'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async ({ target, cases, newScene, judge, http }) => {
    for (const model of target.eachModel) {
      cases.count();
      const scene = newScene();
      await scene.script({ text: 'Who am I?', model: `internal/${model}-preview-0815` });
      judge.completed(await http.chat(scene.minimal(model), { label: model }), { ...plainAccepted, model });
      const body = { ...scene.minimal(model), stream: true };
      const stream = await http.chat(body, { label: `${model} streamed` });
      judge.streamed(stream, { ...streamAccepted, model });
    }
  },
});

export const plainAnswerHasItsShape = defineCheck({
  id: 'resp.shape.every-model',
  title: 'a plain answer has all its members with the right types and ranges, on every model',
  requirements: [
    'RESP-008',
    'RESP-002',
    'RESP-003',
    'RESP-004',
    'RESP-006',
    'RESP-007',
    'RESP-009',
    'RESP-014',
    'RESP-015',
    'RESP-019',
    'RESP-020',
    'RESP-021',
    'RESP-023',
  ],
  kind: 'example',
  needs: [],
  run: async ({ target, cases, http, newScene, judge }) => {
    for (const model of target.eachModel) {
      cases.count();
      const exchange = await http.chat(newScene().minimal(model), { label: model });
      judge.completed(exchange, { ...plainAccepted, model });
    }
  },
});

export const usageIsWhole = defineCheck({
  id: 'resp.usage.whole-prompt',
  title: 'usage counts all input and output tokens, however the upstream splits them up',
  requirements: ['RESP-018', 'RESP-022', 'SSE-011'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: (parts) =>
    withEachUsageForm(parts, ({ counts, usage, exchange, streamed }) => {
      const finding = { expected: JSON.stringify(counts), actual: JSON.stringify(usage), exchange };
      const input = { ...finding, requirement: 'RESP-018', aspect: 'total-includes-cache' };
      must(usage.prompt_tokens === counts.prompt_tokens, input);
      const output = { ...finding, requirement: streamed ? 'SSE-011' : 'RESP-022', aspect: 'verbatim' };
      must(usage.completion_tokens === counts.completion_tokens, output);
    }),
});
