import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { allOf, asStream } from '../../generators/native/answer.ts';
import { native } from '../../generators/native-answer.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { promptOfWords } from '../../steps/chat/long-prompt.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { charged } from '../../steps/money/charged.ts';
import { mustBeFree } from './made.ts';

export const nothingIsInvented = defineCheck({
  id: 'bill.charge.uncounted',
  title: 'an answer without upstream usage costs nothing: no tokens are estimated from its text',
  requirements: ['BILL-001'],
  kind: 'upstream',
  needs: ['upstream.control', 'charges'],
  run: async (parts) => {
    for (const model of dialectModels(parts.target))
      for (const stream of [false, true]) {
        await judgeUncounted(parts, model, stream);
        await contradict(parts, model, stream);
      }
  },
});

async function judgeUncounted(
  { cases, newScene, meter, http, rng }: CheckParts,
  model: string,
  stream: boolean,
): Promise<void> {
  cases.count();
  const scene = newScene();
  const writer = native(dialectOf(model));
  const text = 'Nobody has counted any of this.';
  const reply = stream
    ? asStream(allOf(writer.stream([text], { usage: null })))
    : writer.completion({ text, usage: null });
  await scene.script(reply);
  const body = { ...scene.minimal(model, promptOfWords(rng, 500)), ...(stream ? { stream } : {}) };
  const label = `${model}, an upstream without counts${stream ? ', stream' : ''}`;
  const call = await charged(meter, () => http.chat(body, { label }));
  const rule = { requirement: 'BILL-001', aspect: 'uncounted-is-free' };
  mustBeFree(call, rule, 'the upstream has counted nothing');
}

/** More cached tokens than the prompt has: what such an answer may cost is judged of every exchange. */
async function contradict({ newScene, http }: CheckParts, model: string, stream: boolean): Promise<void> {
  const writer = native(dialectOf(model));
  if (writer.dialect === 'messages') return;
  const usage = { prompt_tokens: 1_000, completion_tokens: 9, cached_tokens: 1_500 };
  const text = 'Somebody has counted badly.';
  const scene = newScene();
  await scene.script(
    stream ? asStream(allOf(writer.stream([text], { usage }))) : writer.completion({ text, usage }),
  );
  const label = `${model}, more cached tokens than its prompt has${stream ? ', stream' : ''}`;
  await http.chat({ ...scene.minimal(model), ...(stream ? { stream } : {}) }, { label });
}
