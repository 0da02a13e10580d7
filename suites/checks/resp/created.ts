import { defineCheck } from '../../engine/check.ts';
import { allOf, asStream } from '../../generators/native/answer.ts';
import { native } from '../../generators/native-answer.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { Untestable } from '../../rules/violation.ts';

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
