import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { textSoFar } from '../../oracle/text-so-far.ts';
import { must, part } from '../../rules/violation.ts';
import { familyModels } from '../../steps/chat/upstream-view.ts';

/** Words that nothing else in a stream has: one that is seen proves that its delta arrived. */
const pieces = ['first-piece ', 'second-piece ', 'third-piece ', 'fourth-piece'];

/** How long a delta may take from the upstream to the client while the next one is held back, ms. */
const timeoutMs = 3_000;

const rule = { requirement: 'SSE-018', aspect: 'delta-by-delta' };

export const streamIsUnbuffered = defineCheck({
  id: 'sse.unbuffered',
  title: 'each delta reaches the client before the upstream sends the next one, compressed or not',
  requirements: ['SSE-018'],
  kind: 'timing',
  needs: ['upstream.control'],
  run: async (parts) => {
    for (const model of familyModels(parts.target))
      await part(async () => {
        // A gateway that compresses has to flush after each delta.
        for (const encoding of ['identity', 'gzip']) await judgeAnswer(parts, model, encoding);
      });
  },
});

async function judgeAnswer(
  { newScene, http, cases, judge }: CheckParts,
  model: string,
  encoding: string,
): Promise<void> {
  const scene = newScene();
  const last = pieces.length - 1;
  await scene.script({ text: pieces.join(''), deltas: pieces, gates: [1, 2, last, 'end'] });
  const headers = { 'accept-encoding': encoding };
  const label = `${model}, ${encoding}`;
  const live = http.openChat({ ...scene.minimal(model), stream: true }, { label, headers });
  for (const piece of pieces) {
    cases.count();
    const seen =
      (await scene.held(1)) &&
      (await live.until((body) => textSoFar(body).includes(piece.trim()), timeoutMs));
    if (!seen) {
      live.abort();
      const held = 'while the upstream holds back what follows';
      const expected = `${model}: "${piece.trim()}" within ${timeoutMs} ms, ${held}`;
      must(false, { ...rule, expected, actual: 'it arrives only with more', exchange: await live.done });
    }
    await scene.release();
  }
  judge.streamed(await live.done, { ...rule, model });
}
