import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import type { Usage } from '../../oracle/completion.ts';
import { advise, flag, must } from '../../rules/violation.ts';
import { familyModels } from '../../steps/chat/upstream-view.ts';
import { fewTenants, sideBySide } from '../../steps/tenants/side-by-side.ts';
import type { Rng } from '../../values/seed.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** The upstream's count of an answer that is halted. */
const counted = { prompt_tokens: 217, completion_tokens: 31 };

const stops = ['STOPONE', 'STOP TWO', '停止', 'END_4'] as const;

export const stopHalts: Check = defineCheck({
  id: 'chat.stop.halts',
  title: 'generation halts at the first stop sequence, given as a string or in an array',
  requirements: ['CHAT-038', 'RESP-022', 'SSE-011'],
  kind: 'upstream',
  needs: ['upstream.control'],
  tenants: fewTenants,
  run: async (parts) => {
    type Judged = (own: CheckParts) => Promise<void>;
    const all = familyModels(parts.target).flatMap((model): Judged[] => [
      ...[...stopCases(), ...Array.from({ length: drawn }, () => drawnCase(parts.rng))].map(
        (stopCase): Judged =>
          (own) =>
            judgeStop(own, model, stopCase),
      ),
      ...(['stop', 'length'] as const).map(
        (finish): Judged =>
          (own) =>
            judgeBegun(own, model, finish),
      ),
    ]);
    await sideBySide(parts, all, (own, judged) => judged(own));
  },
});

interface StopCase {
  readonly label: string;
  readonly text: string;
  /** The pieces of the text in a stream, where they matter. */
  readonly deltas?: readonly string[];
  readonly stop: string | readonly string[];
  /** The finish reason of an upstream that ignores the stop. */
  readonly finish?: 'length';
  /** The aspect of a violation; by default it depends on the pieces. */
  readonly aspect?: string;
  /** Whether a gateway may reject the stop by name, because some upstreams reject it. */
  readonly mayBeRefused?: boolean;
}

const blank = '\n\n';
/** White space that some upstreams reject as a stop. */
const blanks = [blank, '\t\t', '\n\n\t', '\r\n'] as const;
const split = ['before it\n', '\n after it'];

/** Where an upstream rejects white space, the gateway must still send it the other stops. */
const beside = { stop: ['END', blank], text: 'before it END after it', aspect: 'halts-beside-blank' };

const blankCases: readonly (Pick<StopCase, 'label' | 'stop'> & Partial<StopCase>)[] = [
  { label: 'nothing but white space', stop: [blank] },
  { label: 'white space in a text that was cut', stop: [blank], finish: 'length' },
  {
    label: 'white space in two pieces of a text that was cut',
    stop: [blank],
    deltas: split,
    finish: 'length',
  },
  { label: 'white space in two pieces', stop: [blank], deltas: split },
  { label: 'white space in two pieces, beside another', stop: ['END', blank], deltas: split },
  { label: 'white space that begins like itself', stop: ['\n\n\t'], text: 'before it\n\n\n\t after it' },
  { ...beside, label: 'another well before white space', text: `before it END after it${blank}` },
  { ...beside, label: 'another, listed after white space', stop: [blank, 'END'] },
  { label: 'another before white space', stop: ['END', blank], text: `before it END${blank} after it` },
];

/** Each of four positions, both forms, and a text with two stop sequences, where the first one counts. */
function stopCases(): StopCase[] {
  const text = (stop: string): string => `before it ${stop} after it`;
  return [
    ...stops.map((stop, index) => ({ label: `entry ${index + 1} of 4`, text: text(stop), stop: stops })),
    { label: 'a single string', text: text(stops[0]), stop: stops[0] },
    { label: 'an array of one', text: text(stops[0]), stop: [stops[0]] },
    { label: 'the first of two', text: `before it ${stops[2]} after it ${stops[0]} end`, stop: stops },
    ...blankCases.map((one) => ({ text: split.join(''), ...one, mayBeRefused: true })),
  ];
}

/** The number of random cases for each model. */
const drawn = 6;

/** Several stops, in half of the cases only white space. The text contains one of them, in two pieces of a stream. */
function drawnCase(rng: Rng): StopCase {
  const stop = rng.shuffle([...(rng.int(2) === 0 ? stops : []), ...blanks]).slice(0, 2 + rng.int(3));
  const met = rng.pick(stop);
  const text = `before it ${met} after it`;
  const cut = text.indexOf(met) + 1 + rng.int(met.length - 1);
  return {
    ...{ label: `${JSON.stringify(met)} of ${JSON.stringify(stop)}`, text, stop },
    deltas: [text.slice(0, cut), text.slice(cut)],
    mayBeRefused: stop.some((one) => one.trim() === ''),
  };
}

async function judgeStop(
  { cases, newScene, http, judge }: CheckParts,
  model: string,
  stopCase: StopCase,
): Promise<void> {
  const { label, text, deltas, stop, finish = 'stop', aspect, mayBeRefused = false } = stopCase;
  cases.count();
  const scene = newScene();
  await scene.script({
    ...(deltas === undefined ? { text } : { deltas: [...deltas] }),
    finish,
    usage: counted,
  });
  const body = { ...scene.minimal(model), stop };
  const expected = { requirement: 'CHAT-038', aspect: 'stop-accepted', model };
  const plain = await http.chat(body, { label: `${label}, on ${model}` });
  if (mayBeRefused && isRefused(judge, plain, model, label)) return;
  const whole = judge.completed(plain, expected);
  const halts = aspect ?? (deltas === undefined ? 'halts-at-stop' : 'halts-at-split-stop');
  judgeHalt(whole.content ?? '', whole.finishReason, { exchange: plain, halts, most: mostOf(stopCase) });
  judgeCounts(whole.usage, { requirement: 'RESP-022', exchange: plain, mayLeave: false });
  const stream = await http.chat({ ...body, stream: true }, { label: `${label}, on ${model}, streamed` });
  const streamed = judge.streamed(stream, expected);
  judgeHalt(streamed.content, streamed.finishReason, { exchange: stream, halts, most: mostOf(stopCase) });
  judgeCounts(streamed.usage, { requirement: 'SSE-011', exchange: stream, mayLeave: mayBeRefused });
}

/** Whether the gateway rejects a stop that an upstream may reject. The refusal must name it. */
function isRefused(judge: Judge, exchange: Exchange, model: string, label: string): boolean {
  if (exchange.response?.status !== 400) return false;
  const rule = { requirement: 'CHAT-038', aspect: 'stop-accepted', model } as const;
  judge.refused(exchange, { ...rule, codes: ['invalid_param'], param: 'stop' });
  judge.note(`refuses a stop of ${label}`);
  return true;
}

/** A text that ends with the first part of a stop sequence is returned whole, with any finish reason. */
async function judgeBegun(
  { cases, newScene, http, judge }: CheckParts,
  model: string,
  finish: 'stop' | 'length',
): Promise<void> {
  for (const stream of [false, true]) {
    cases.count();
    const scene = newScene();
    const text = 'before it\n';
    await scene.script({ deltas: ['before', ' it', '\n'], finish });
    const body = { ...scene.minimal(model), stop: [blank], ...(stream ? { stream } : {}) };
    const exchange = await http.chat(body, { label: `the beginning of a stop on ${model}, ${finish}` });
    if (isRefused(judge, exchange, model, 'white space')) return;
    const rule = { requirement: 'CHAT-038', aspect: 'stop-accepted', model };
    const { content } = stream ? judge.streamed(exchange, rule) : judge.completed(exchange, rule);
    const found = { expected: JSON.stringify(text), actual: JSON.stringify(content) };
    must(content === text, { requirement: 'CHAT-038', aspect: 'begun-stop-kept', ...found, exchange });
  }
}

/**
 * A gateway that halts a stream in place of its upstream may leave the upstream there: then its count so far is the
 * last one.
 */
function judgeCounts(
  usage: Usage | null,
  own: { readonly requirement: string; readonly exchange: Exchange; readonly mayLeave: boolean },
): void {
  const { prompt_tokens: prompt = 0, completion_tokens: completion = 0 } = usage ?? {};
  const { mayLeave, ...rule } = own;
  const isWhole = prompt === counted.prompt_tokens && completion === counted.completion_tokens;
  const isPart = mayLeave && prompt === counted.prompt_tokens && completion >= 1;
  (isPart ? advise : flag)(isWhole, {
    ...rule,
    aspect: 'halted-usage',
    expected: `the upstream's count of a halted answer, ${JSON.stringify(counted)}`,
    actual: JSON.stringify(usage),
  });
}

/** The text up to the end of the stop sequence that is whole first. */
function mostOf({ text, stop }: StopCase): string {
  const ends = [stop].flat().flatMap((one) => (text.includes(one) ? text.indexOf(one) + one.length : []));
  return text.slice(0, Math.min(...ends));
}

function judgeHalt(
  content: string,
  finishReason: string,
  { exchange, halts, most }: { readonly exchange: Exchange; readonly halts: string; readonly most: string },
): void {
  const judgeThat = (holds: boolean, aspect: string, expected: string, actual: string): void =>
    must(holds, { requirement: 'CHAT-038', aspect, expected, actual, exchange });
  const text = JSON.stringify(content);
  judgeThat(most.startsWith(content), halts, `at most ${JSON.stringify(most)}`, text);
  judgeThat(
    content.startsWith('before it'),
    'keeps-what-precedes',
    'the text before the stop sequence',
    text,
  );
  judgeThat(finishReason === 'stop', 'finish-is-stop', 'finish_reason stop', finishReason);
}
