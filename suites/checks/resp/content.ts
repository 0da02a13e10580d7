import fc from 'fast-check';
import { defineCheck } from '../../engine/check.ts';
import { cutText, fragmentedText } from '../../generators/fragmented-text.ts';
import { hostileTexts } from '../../generators/upstream-text.ts';
import { plainAccepted, streamAccepted } from '../../oracle/accepted.ts';
import { judgeSameText } from '../../oracle/same-text.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';

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
