import { defineCheck } from '../../engine/check.ts';
import {
  chatCompletionsModel,
  nativeCompletion,
  nativeEvents,
  nativeStream,
} from '../../generators/native-answer.ts';

/** Upstream clocks as they should not be: long ago, the epoch itself, far ahead, in milliseconds. */
const upstreamClocks = [1_000_000_000, 0, 4_000_000_000, 1_900_000_000_000];

export const createdIsNow = defineCheck({
  id: 'resp.created.now',
  title: 'created is the present time in seconds, whatever the clock of the upstream says',
  requirements: ['RESP-003'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (kit) => {
    const model = chatCompletionsModel(kit);
    for (const created of upstreamClocks) {
      kit.countCase();
      const expected = { requirement: 'RESP-003', aspect: 'accepts-any-upstream-clock', model };
      const plain = kit.scene();
      await plain.script(nativeCompletion({ text: 'What time is it?', created }));
      const answer = await kit.chat(plain.minimal(model), { label: `upstream clock ${created}` });
      kit.completed(answer, expected);
      const streamed = kit.scene();
      await streamed.script(nativeStream(nativeEvents(['What time ', 'is it?'], { created }).join('')));
      const stream = await kit.chat(
        { ...streamed.minimal(model), stream: true },
        { label: `streamed, upstream clock ${created}` },
      );
      kit.streamed(stream, expected);
    }
  },
});
