import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { must } from '../../rules/violation.ts';
import { compatOf, type Facing, facingsOf, streamsOn } from '../../steps/faces/facing.ts';
import { keepFaceClosed } from '../../steps/faces/keep-face-closed.ts';
import { readSaid } from '../../steps/faces/said.ts';
import { patiently } from '../../steps/failures/patiently.ts';
import { holdFaces, type Rule } from './held-faces.ts';

/** A way in which a call can end, whatever its face. */
interface Ending {
  readonly name: string;
  readonly stream: boolean;
  readonly end: (parts: CheckParts, facing: Facing, rule: Rule) => Promise<void>;
}

const endings: readonly Ending[] = [
  { name: 'success', stream: false, end: (parts, facing, rule) => complete(parts, facing, rule, false) },
  { name: 'stream-end', stream: true, end: (parts, facing, rule) => complete(parts, facing, rule, true) },
  {
    name: 'refusal',
    stream: false,
    end: async ({ newScene, http, judge }, { face, model }, rule) => {
      const body = face.body(newScene(), { model });
      const empty = { ...body, [face.name === 'compat-b' ? 'contents' : 'messages']: [] };
      const exchange = await face.open(http, model, empty, { label: `${face.name}, nothing is said` }).done;
      judge.refused(exchange, { ...rule, codes: ['invalid_param'] });
    },
  },
  {
    name: 'upstream-failure',
    stream: false,
    end: async (parts, facing, rule) => {
      const { newScene, http, judge } = parts;
      const { face, model } = facing;
      await keepFaceClosed(parts, facing);
      const scene = newScene();
      await scene.script({ status: 418, body: 'short and stout' });
      const body = face.body(scene, { model });
      const exchange = await face.open(http, model, body, { label: `${face.name}, a failing upstream` }).done;
      judge.refused(exchange, { ...rule, codes: ['upstream_error', 'channel_outage'] });
    },
  },
  {
    name: 'stream-break',
    stream: true,
    end: async (parts, facing) => {
      const { face, model } = facing;
      await keepFaceClosed(parts, facing);
      const scene = parts.newScene();
      await scene.script({ deltas: ['one ', 'two ', 'three'], cut: { after: 2, by: 'fin' } });
      const body = face.body(scene, { model });
      // How that is told is judged elsewhere.
      await face.open(parts.http, model, body, { label: `${face.name}, a stream that breaks`, stream: true })
        .done;
    },
  },
  { name: 'abort-waiting', stream: false, end: (parts, facing, rule) => leave(parts, facing, rule, false) },
  { name: 'abort-streaming', stream: true, end: (parts, facing, rule) => leave(parts, facing, rule, true) },
];

/** One check for each way to end: however often it happens on a compat path, the whole cap is there afterwards, for all. */
export const freedChecks: readonly Check[] = endings.map((ending) =>
  defineCheck({
    id: `faces.freed.after-${ending.name}`,
    title: `compat path calls free their slots for every path after ${ending.name.replace('-', ' ')}`,
    requirements: ['LIM-003'],
    kind: 'concurrency',
    needs: ['upstream.control'],
    run: (parts) => judgeEnding(parts, ending),
  }),
);

async function judgeEnding(parts: CheckParts, { name, stream, end }: Ending): Promise<void> {
  const rule = { requirement: 'LIM-003', aspect: `freed-after-${name}` };
  const cap = parts.target.profile.cap.value;
  const isAbort = name.startsWith('abort');
  const facings = facingsOf(parts);
  for (const { face, models } of compatOf(parts)) {
    if (stream && !(await streamsOn(parts, { face, model: models[0] }))) continue;
    for (let round = 0; round <= cap; round += 1) {
      parts.cases.count();
      const facing = { face, model: models[round % models.length] ?? models[0] };
      await (isAbort ? patiently(parts, () => end(parts, facing, rule)) : end(parts, facing, rule));
    }
    const calls = Array.from({ length: cap }, (_, index) => facings[index % facings.length])
      .filter((facing) => facing !== undefined)
      .map((facing) => ({ ...facing, stream: false }));
    const all = (): Promise<void> => holdFaces(parts, calls, rule).then((held) => held.finish());
    await (isAbort ? patiently(parts, all) : all());
  }
}

async function complete(
  { newScene, http, judge }: CheckParts,
  { face, model }: Facing,
  rule: Rule,
  stream: boolean,
): Promise<void> {
  const body = face.body(newScene(), { model });
  const exchange = await face.open(http, model, body, { label: `${face.name}, served`, stream }).done;
  readSaid(judge, face, exchange, { ...rule, model, stream });
}

/** A client that disappears once its call is held at the upstream. */
async function leave(
  { newScene, http }: CheckParts,
  { face, model }: Facing,
  rule: Rule,
  stream: boolean,
): Promise<void> {
  const scene = newScene();
  await scene.script({ text: 'one two', deltas: ['one ', 'two'], gates: [stream ? 1 : 'head'] });
  const body = face.body(scene, { model });
  const live = face.open(http, model, body, { label: `${face.name}, a client that leaves`, stream });
  const held = scene.held(1).catch(() => false);
  const begun = (await Promise.race([held, live.done.then(() => false)])) && (!stream || (await said(live)));
  live.abort();
  const exchange = await live.done;
  must(begun, {
    ...rule,
    expected: 'a call that is held at the upstream',
    actual: 'it is answered or never gets there',
    exchange,
  });
  await scene.ended(1);
}

function said(live: {
  until(enough: (text: string) => boolean, withinMs: number): Promise<boolean>;
}): Promise<boolean> {
  return live.until((text) => text.includes('one '), 5_000);
}
