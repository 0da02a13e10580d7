import { defineCheck } from '../../engine/check.ts';
import type { Kit } from '../../engine/kit.ts';
import { must } from '../../engine/violation.ts';
import { cutText } from '../../generators/fragmented-text.ts';
import { allOf, type NativeCall } from '../../generators/native/answer.ts';
import { native } from '../../generators/native-answer.ts';
import { hardPlaces, splitBefore } from '../../generators/split-stream.ts';
import { streamAccepted } from '../../oracle/accepted.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import type { Dialect } from '../../oracle/native/view.ts';
import { judgeSameText } from '../../oracle/same-text.ts';
import { oneTool } from '../../oracle/sample-tools.ts';
import { dialectModels } from '../chat/upstream-view.ts';

/** Short, with characters of one to four bytes, a character of two code points, and white space at both ends. */
const text = ' aé🌊e\u0301\n水 ';

export const everySplitJoins = defineCheck({
  id: 'sse.fragments.every-split',
  title: 'a text that the upstream cuts in two at any place, inside a character too, arrives whole',
  requirements: ['SSE-007'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (kit) => {
    for (const model of dialectModels(kit)) {
      for (let place = 0; place <= text.length; place += 1) {
        const { fragments } = cutText(text, [place]);
        const scene = kit.scene();
        await scene.script({ text, deltas: [...fragments] });
        const label = `${model}, cut at ${place}`;
        const exchange = await kit.chat({ ...scene.minimal(model), stream: true }, { label });
        const { content } = kit.streamed(exchange, { ...streamAccepted, model });
        kit.countCase();
        judgeSameText(content, text, { requirement: 'SSE-007', aspect: 'fragments-join', exchange });
      }
    }
  },
});

/** The stream that is split has at least this many bytes. */
const streamBytes = 4096;
/** Of each kind of place, in a quick run. */
const quickPlaces = 12;
/** Replies that are scripted at once. */
const batchSize = 64;

const call: NativeCall = {
  id: 'toolu_split',
  name: oneTool.function.name,
  arguments: JSON.stringify({ word: 'Die See 🌊 \n "grün"' }),
};

export const splitBytesJoin = defineCheck({
  id: 'sse.fragments.split-bytes',
  title:
    'an upstream stream of 4 KB that is split in two at any byte, inside a character too, arrives as the same text and calls',
  requirements: ['SSE-007'],
  kind: 'upstream',
  needs: ['upstream.control'],
  extraMs: () => 600_000,
  run: async (kit) => {
    for (const model of dialectModels(kit)) {
      const { stream, content } = longStream(dialectOf(model));
      const hard = hardPlaces(stream);
      const all = Array.from({ length: stream.length - 1 }, (_, index) => index + 1);
      const places = kit.full
        ? all
        : [hard, all].flatMap((kind) => kit.rng.shuffle(kind).slice(0, quickPlaces));
      for (let at = 0; at < places.length; at += batchSize)
        await judgeSplits(kit, model, { stream, content }, places.slice(at, at + batchSize));
    }
  },
});

/** A stream of text and then a call. */
function longStream(dialect: Dialect): { stream: Buffer; content: string } {
  const fragments: string[] = [];
  const build = (): string[] => allOf(native(dialect).stream(fragments, { toolCalls: [call] }));
  while (Buffer.byteLength(build().join('')) < streamBytes)
    fragments.push(fragments.length % 2 === 0 ? 'Die See 🌊 ist grün,\n' : '水');
  return { stream: Buffer.from(build().join('')), content: fragments.join('') };
}

/** As many at a time as a polite client may have in flight: one release lets all of them go on. */
async function judgeSplits(
  kit: Kit,
  model: string,
  { stream, content }: { stream: Buffer; content: string },
  places: readonly number[],
): Promise<void> {
  const scene = kit.scene();
  await scene.script(...places.map((place) => splitBefore(stream, place)));
  const body = { ...scene.minimal(model), tools: [oneTool], stream: true };
  const atOnce = Math.max(1, kit.profile.cap.value - 1);
  for (let at = 0; at < places.length; at += atOnce) {
    const together = places.slice(at, at + atOnce);
    const label = `${model}, split before byte ${together.join(' or ')} of ${stream.length}`;
    const live = together.map(() => kit.openChat(body, { label }));
    const exchanges = Promise.all(live.map(({ done }) => done));
    // A gateway that needs no more than the first half may be done before the second one.
    await Promise.race([scene.held(together.length), exchanges]);
    await scene.release();
    for (const exchange of await exchanges) {
      const seen = kit.streamed(exchange, { ...streamAccepted, model });
      kit.countCase();
      const rule = { requirement: 'SSE-007', aspect: 'fragments-join', exchange };
      judgeSameText(seen.content, content, rule);
      const [made] = seen.toolCalls;
      must(seen.toolCalls.length === 1 && sameArguments(made?.function.arguments), {
        ...rule,
        aspect: 'same-calls',
        expected: JSON.stringify(call),
        actual: JSON.stringify(seen.toolCalls),
      });
    }
  }
}

function sameArguments(seen: string | undefined): boolean {
  return JSON.stringify(JSON.parse(seen ?? 'null')) === call.arguments;
}
