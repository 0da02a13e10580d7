import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { must } from '../../rules/violation.ts';
import { familyModels } from '../../steps/chat/upstream-view.ts';
import type { Exchange } from '../../wire/exchange.ts';

const stops = ['STOPONE', 'STOP TWO', '停止', 'END_4'] as const;

export const stopHalts: Check = defineCheck({
  id: 'chat.stop.halts',
  title: 'generation halts at the first stop sequence, given as a string or in an array',
  requirements: ['CHAT-038'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    for (const model of familyModels(parts.target))
      for (const stopCase of stopCases()) await judgeStop(parts, model, stopCase);
  },
});

interface StopCase {
  readonly label: string;
  readonly text: string;
  readonly stop: string | readonly string[];
  /** Some upstreams reject such a stop; a gateway that relies on them refuses it by name. */
  readonly mayBeRefused?: boolean;
}

/** Each of four positions, both forms, and a text with two stop sequences, where the first one counts. */
function stopCases(): StopCase[] {
  const text = (stop: string): string => `before it ${stop} after it`;
  return [
    ...stops.map((stop, index) => ({ label: `entry ${index + 1} of 4`, text: text(stop), stop: stops })),
    { label: 'a single string', text: text(stops[0]), stop: stops[0] },
    { label: 'an array of one', text: text(stops[0]), stop: [stops[0]] },
    { label: 'the first of two', text: `before it ${stops[2]} after it ${stops[0]} end`, stop: stops },
    { label: 'nothing but white space', text: 'before it\n\n after it', stop: ['\n\n'], mayBeRefused: true },
  ];
}

async function judgeStop(
  { cases, newScene, http, judge }: CheckParts,
  model: string,
  stopCase: StopCase,
): Promise<void> {
  const { label, text, stop, mayBeRefused = false } = stopCase;
  cases.count();
  const scene = newScene();
  await scene.script({ text });
  const body = { ...scene.minimal(model), stop };
  const expected = { requirement: 'CHAT-038', aspect: 'stop-accepted', model };
  const plain = await http.chat(body, { label: `${label}, on ${model}` });
  if (mayBeRefused && plain.response?.status === 400) {
    judge.refused(plain, { ...expected, codes: ['invalid_param'], param: 'stop' });
    judge.note(`refuses a stop of ${label}`);
    return;
  }
  const whole = judge.completed(plain, expected);
  judgeHalt(whole.content ?? '', whole.finishReason, plain);
  const stream = await http.chat({ ...body, stream: true }, { label: `${label}, on ${model}, streamed` });
  const streamed = judge.streamed(stream, expected);
  judgeHalt(streamed.content, streamed.finishReason, stream);
}

function judgeHalt(content: string, finishReason: string, exchange: Exchange): void {
  const judgeThat = (holds: boolean, aspect: string, expected: string, actual: string): void =>
    must(holds, { requirement: 'CHAT-038', aspect, expected, actual, exchange });
  const text = JSON.stringify(content);
  judgeThat(!content.includes('after it'), 'halts-at-stop', 'nothing after the stop sequence', text);
  judgeThat(
    content.startsWith('before it'),
    'keeps-what-precedes',
    'the text before the stop sequence',
    text,
  );
  judgeThat(finishReason === 'stop', 'finish-is-stop', 'finish_reason stop', finishReason);
}
