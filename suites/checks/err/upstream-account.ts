import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { type NativeRejection, rejections } from '../../generators/native-rejections.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { codesFor } from '../../oracle/upstream-failures.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { servedAgain } from '../../steps/failures/served-again.ts';

/** Good calls after each failing one, which keep the breaker closed. */
const goodCalls = 3;

export const upstreamAccountIsOurMatter = defineCheck({
  id: 'err.upstream.account',
  title: 'a rejected gateway key or spent gateway quota upstream is never blamed on the caller',
  requirements: ['ERR-010', 'ERR-006', 'ERR-008'],
  kind: 'upstream',
  needs: ['upstream.control'],
  // A gateway may rest a channel for minutes after such a failure.
  clock: 'jump',
  run: async (parts) => {
    const models = dialectModels(parts.target);
    const max = Math.max(...models.map((model) => rejections[dialectOf(model)].length));
    for (const stream of [false, true]) {
      for (let place = 0; place < max; place += 1) {
        const judged = models.map(async (model) => {
          const rejection = rejections[dialectOf(model)][place];
          if (rejection !== undefined) await judgeRejection(parts, model, rejection, stream);
        });
        await Promise.all(judged);
        await servedAgain(parts, models, { requirement: 'ERR-010', aspect: 'recovers' }, goodCalls);
      }
    }
  },
});

async function judgeRejection(
  { cases, newScene, http, judge }: CheckParts,
  model: string,
  rejection: NativeRejection,
  stream: boolean,
): Promise<void> {
  cases.count();
  const { reply, meant = reply.status } = rejection;
  const scene = newScene();
  await scene.script(reply);
  const body = { ...scene.minimal(model), ...(stream ? { stream } : {}) };
  const exchange = await http.chat(body, { label: `upstream ${JSON.stringify(reply.body)}` });
  judge.refused(exchange, { requirement: 'ERR-010', aspect: 'not-the-callers', codes: codesFor(meant) });
}
