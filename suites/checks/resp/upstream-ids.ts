import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import { allOf, asStream } from '../../generators/native/answer.ts';
import { native } from '../../generators/native-answer.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { flag, part } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';

/** An answer without its id, where the dialect allows that. */
const withoutId = (reply: Reply): Reply =>
  JSON.parse(JSON.stringify(reply).replaceAll(/,?\\?"responseId\\?":\\?"[^"]*"/g, '')) as Reply;

export const upstreamIdsAreNotTrusted = defineCheck({
  id: 'resp.id.upstream-repeats',
  title: 'completions have ids of their own when the upstream repeats its own, or has none',
  requirements: ['RESP-001', 'SSE-013'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async ({ cases, newScene, http, judge, target }) => {
    for (const model of dialectModels(target)) {
      const writer = native(dialectOf(model));
      const whole = writer.completion({ text: 'The sea is wide.' });
      const streamed = asStream(allOf(writer.stream(['The sea ', 'is wide.'])));
      const seen = new Set<string>();
      for (const change of [(reply: Reply) => reply, withoutId])
        for (const stream of [false, true, false, true])
          await part(async () => {
            cases.count();
            const scene = newScene();
            await scene.script(change(stream ? streamed : whole));
            const body = { ...scene.minimal(model), ...(stream ? { stream } : {}) };
            const exchange = await http.chat(body, { label: `${model}, the same answer again` });
            const rule = { requirement: stream ? 'SSE-013' : 'RESP-001', aspect: 'upstream-ids' };
            const expected = { ...rule, model };
            const { id } = stream ? judge.streamed(exchange, expected) : judge.completed(exchange, expected);
            const own = 'an id that no other completion has';
            flag(!seen.has(id) && id !== '', { ...rule, expected: own, actual: `${id} again`, exchange });
            seen.add(id);
          });
    }
  },
});
