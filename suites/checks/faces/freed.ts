import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { must, part } from '../../rules/violation.ts';
import { patiently } from '../../steps/failures/pass-timeouts.ts';
import { callsFrom, holdWays } from '../../steps/ways/held-ways.ts';
import { isHeld } from '../../steps/ways/hold-all.ts';
import { faultyBody, type Rule, type WayIn, wayLabel } from '../../steps/ways/way-in.ts';
import { keepWayClosed, waysOf } from '../../steps/ways/ways-of.ts';

/** One way for a call to end, on any endpoint. */
interface Ending {
  readonly name: string;
  readonly stream: boolean;
  /** Whether it needs a call that the upstream holds, or that fails with it. */
  readonly lasting: boolean;
  readonly end: (parts: CheckParts, way: WayIn, rule: Rule) => Promise<void>;
}

const endings: readonly Ending[] = [
  { name: 'success', stream: false, lasting: false, end: complete },
  { name: 'stream-end', stream: true, lasting: true, end: complete },
  {
    name: 'refusal',
    stream: false,
    lasting: false,
    end: async (parts, way, rule) => {
      const body = faultyBody(way, way.body(parts.newScene()));
      const exchange = await way.open(parts, body, { label: `${way.name}, a refused request` }).done;
      parts.judge.refused(exchange, { ...rule, codes: ['invalid_param'] });
    },
  },
  {
    name: 'upstream-failure',
    stream: false,
    lasting: true,
    end: async (parts, way, rule) => {
      await keepWayClosed(parts, way);
      const scene = parts.newScene();
      await scene.script({ status: 418, body: 'short and stout' });
      const exchange = await way.open(parts, way.body(scene), { label: `${way.name}, a failing upstream` })
        .done;
      parts.judge.refused(exchange, { ...rule, codes: ['upstream_error', 'channel_outage'] });
    },
  },
  {
    name: 'stream-break',
    stream: true,
    lasting: true,
    end: async (parts, way) => {
      await keepWayClosed(parts, way);
      const scene = parts.newScene();
      await scene.script({ deltas: ['one ', 'two ', 'three'], cut: { after: 2, by: 'fin' } });
      // Another check judges how the failure is reported.
      await way.open(parts, way.body(scene), { label: `${way.name}, a stream that breaks` }).done;
    },
  },
  { name: 'abort-waiting', stream: false, lasting: true, end: leave },
  { name: 'abort-streaming', stream: true, lasting: true, end: leave },
];

/** One check for each way to end: however often it happens on an endpoint, the whole cap is free afterwards. */
export const freedChecks: readonly Check[] = endings.map((ending) =>
  defineCheck({
    id: `faces.freed.after-${ending.name}`,
    title: `calls of every endpoint free their slots for every other after ${ending.name.replace('-', ' ')}`,
    requirements: ['LIM-003', 'LIM-004'],
    kind: 'concurrency',
    needs: ['upstream.control'],
    run: (parts) => judgeEnding(parts, ending),
  }),
);

async function judgeEnding(parts: CheckParts, { name, stream, lasting, end }: Ending): Promise<void> {
  const rule = { requirement: 'LIM-003', aspect: `freed-after-${name}` };
  const cap = parts.target.profile.cap.value;
  const isAbort = name.startsWith('abort');
  const ways = await waysOf(parts);
  const held = ways.filter((way) => way.lasts && !way.stream);
  const suited = ways.filter((way) => way.stream === stream && (way.lasts || !lasting));
  // Other checks end calls of the core path so; a deployment may stream on no other path.
  const others = suited.filter(({ name }) => name !== 'core');
  const ended = others.length > 0 ? others : suited;
  for (const way of ended)
    await part(async () => {
      for (let round = 0; round <= cap; round += 1) {
        parts.cases.count();
        await (isAbort ? patiently(parts, () => end(parts, way, rule)) : end(parts, way, rule));
      }
      const all = (): Promise<void> =>
        holdWays(parts, callsFrom(held, 0, cap), rule).then((calls) => calls.finish());
      await (isAbort ? patiently(parts, all) : all());
    });
}

async function complete(parts: CheckParts, way: WayIn, rule: Rule): Promise<void> {
  const exchange = await way.open(parts, way.body(parts.newScene()), { label: `${wayLabel(way)}, served` })
    .done;
  way.judgeServed(parts, exchange, rule);
}

/** Disconnects a client once its call is held upstream. */
async function leave(parts: CheckParts, way: WayIn, rule: Rule): Promise<void> {
  const scene = parts.newScene();
  const said = way.protocol === null ? {} : { text: 'one two', deltas: ['one ', 'two'] };
  await scene.script({ ...said, gates: [way.stream ? 1 : 'head'] });
  const live = way.open(parts, way.body(scene), { label: `${wayLabel(way)}, a client that disconnects` });
  const begun =
    (await isHeld({ scene, live })) &&
    (!way.stream || (await live.until((text) => text.includes('one '), 5_000)));
  live.abort();
  const exchange = await live.done;
  const expected = 'a call that is held at the upstream';
  must(begun, { ...rule, expected, actual: 'it is answered or never arrives', exchange });
  await scene.closedWithClient();
}
