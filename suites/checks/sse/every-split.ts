import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { cutText } from '../../generators/fragmented-text.ts';
import { allOf, type NativeCall } from '../../generators/native/answer.ts';
import { native } from '../../generators/native-answer.ts';
import { cutBefore, hardPlaces, placesApart, splitBefore } from '../../generators/split-stream.ts';
import { streamAccepted } from '../../oracle/accepted.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { judgeSameText } from '../../oracle/same-text.ts';
import { oneTool } from '../../oracle/sample-tools.ts';
import { callsAtOnce } from '../../profile/calls-at-once.ts';
import type { Dialect } from '../../profile/dialects.ts';
import { flag, part } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import type { Rng } from '../../values/seed.ts';

/** Short, with characters of one to four bytes, a character of two code points, and white space at both ends. */
const text = ' aé🌊e\u0301\n水 ';

/** Minimum size of the stream to split, bytes. */
const streamBytes = 4096;
/** Places of each kind that a quick run tries. */
const quickPlaces = 12;
/** Bytes between two cuts of one stream: more than an event has. */
const cutStep = 512;
/** Replies that are scripted at once. */
const batchSize = 64;

const call: NativeCall = {
  id: 'toolu_split',
  name: oneTool.function.name,
  arguments: JSON.stringify({ word: 'Die See 🌊 \n "grün"' }),
};

/** One stream as it is sent, and where it is cut. */
interface Split {
  readonly places: readonly number[];
  readonly reply: Reply;
}

const inTwo = (stream: Buffer, place: number): Split => ({
  places: [place],
  reply: splitBefore(stream, place),
});

export const everySplitJoins = defineCheck({
  id: 'sse.fragments.every-split',
  title: 'text that the upstream splits in two at any point, even inside a character, arrives whole',
  requirements: ['SSE-007'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    for (const model of dialectModels(parts.target)) await part(() => judgeCuts(parts, model));
  },
});

async function judgeCuts({ newScene, http, judge, cases }: CheckParts, model: string): Promise<void> {
  for (let place = 0; place <= text.length; place += 1) {
    const { fragments } = cutText(text, [place]);
    const scene = newScene();
    await scene.script({ text, deltas: [...fragments] });
    const label = `${model}, cut at ${place}`;
    const exchange = await http.chat({ ...scene.minimal(model), stream: true }, { label });
    const { content } = judge.streamed(exchange, { ...streamAccepted, model });
    cases.count();
    judgeSameText(content, text, { requirement: 'SSE-007', aspect: 'fragments-join', exchange });
  }
}

export const splitBytesJoin = defineCheck({
  id: 'sse.fragments.split-bytes',
  title: 'an upstream stream split at any byte arrives as the same text and tool calls',
  requirements: ['SSE-007'],
  kind: 'upstream',
  needs: ['upstream.control'],
  extraMs: () => 600_000,
  run: async (parts) => {
    const { cases, rng, target } = parts;
    for (const model of dialectModels(target))
      await part(async () => {
        const long = longStream(dialectOf(model));
        const splits = cases.full ? everySplit(long.stream) : someSplits(long.stream, rng);
        for (let at = 0; at < splits.length; at += batchSize)
          await judgeSplits(parts, model, long, splits.slice(at, at + batchSize));
      });
  },
});

/** A stream a hard place, cut in two there; the other places share streams, with a pause at every cut. */
function everySplit(stream: Buffer): Split[] {
  return [
    ...hardPlaces(stream).map((place) => inTwo(stream, place)),
    ...placesApart(stream, cutStep).map((places) => ({ places, reply: cutBefore(stream, places) })),
  ];
}

function someSplits(stream: Buffer, rng: Rng): Split[] {
  const all = placesApart(stream, 1).flat();
  return [hardPlaces(stream), all].flatMap((places) =>
    rng
      .shuffle(places)
      .slice(0, quickPlaces)
      .map((place) => inTwo(stream, place)),
  );
}

/** A stream of text and then a call. */
function longStream(dialect: Dialect): { stream: Buffer; content: string } {
  const fragments: string[] = [];
  const build = (): string[] => allOf(native(dialect).stream(fragments, { toolCalls: [call] }));
  while (Buffer.byteLength(build().join('')) < streamBytes)
    fragments.push(fragments.length % 2 === 0 ? 'Die See 🌊 ist grün,\n' : '水');
  return { stream: Buffer.from(build().join('')), content: fragments.join('') };
}

/** Runs as many calls in parallel as the user's cap allows. One release continues all of them. */
async function judgeSplits(
  { newScene, target, http, judge, cases }: CheckParts,
  model: string,
  { stream, content }: { stream: Buffer; content: string },
  splits: readonly Split[],
): Promise<void> {
  const scene = newScene();
  await scene.script(...splits.map(({ reply }) => reply));
  const body = { ...scene.minimal(model), tools: [oneTool], stream: true };
  const atOnce = callsAtOnce(target.profile);
  for (let at = 0; at < splits.length; at += atOnce) {
    const together = splits.slice(at, at + atOnce);
    const where = together.map(({ places }) => places.join(' and ')).join(' or ');
    const label = `${model}, split before byte ${where} of ${stream.length}`;
    const live = together.map(() => http.openChat(body, { label }));
    const exchanges = Promise.all(live.map(({ done }) => done));
    const held = together.filter(({ reply }) => reply.gates !== undefined).length;
    if (held > 0) {
      // A gateway that the first half is enough for may end its stream before the second one.
      await Promise.race([scene.held(held), exchanges]);
      await scene.release();
    }
    for (const exchange of await exchanges) {
      const seen = judge.streamed(exchange, { ...streamAccepted, model });
      const rule = { requirement: 'SSE-007', aspect: 'fragments-join', exchange };
      judgeSameText(seen.content, content, rule);
      const [made] = seen.toolCalls;
      const isSame = seen.toolCalls.length === 1 && sameArguments(made?.function.arguments);
      const calls = { expected: JSON.stringify(call), actual: JSON.stringify(seen.toolCalls) };
      flag(isSame, { ...rule, ...calls, aspect: 'same-calls' });
    }
    for (const _ of together.flatMap(({ places }) => places)) cases.count();
  }
}

function sameArguments(seen: string | undefined): boolean {
  return JSON.stringify(JSON.parse(seen ?? 'null')) === call.arguments;
}
