import { defineCheck } from '../../engine/check.ts';
import { cutText } from '../../generators/fragmented-text.ts';
import { chatCompletionsModel, nativeEvents, nativeStream } from '../../generators/native-answer.ts';
import { streamAccepted } from '../../oracle/accepted.ts';
import { judgeSameText } from '../../oracle/same-text.ts';

/** Short, with characters of one to four bytes, a character of two code points, and white space at both ends. */
const text = ' aé🌊e\u0301\n水 ';

export const everySplitJoins = defineCheck({
  id: 'sse.fragments.every-split',
  title: 'a text that the upstream cuts in two at any place, inside a character too, arrives whole',
  requirements: ['SSE-007'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (kit) => {
    const model = kit.anyModel();
    for (let place = 0; place <= text.length; place += 1) {
      const { fragments } = cutText(text, [place]);
      const scene = kit.scene();
      await scene.script({ text, deltas: [...fragments] });
      const label = `cut at ${place}`;
      const exchange = await kit.chat({ ...scene.minimal(model), stream: true }, { label });
      const { content } = kit.streamed(exchange, { ...streamAccepted, model });
      kit.countCase();
      judgeSameText(content, text, { requirement: 'SSE-007', aspect: 'fragments-join', exchange });
    }
  },
});

export const splitBytesJoin = defineCheck({
  id: 'sse.fragments.split-bytes',
  title: 'a character whose bytes the upstream sends in two writes arrives as that character',
  requirements: ['SSE-007'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (kit) => {
    const model = chatCompletionsModel(kit);
    for (const bytesBefore of [1, 2, 3]) {
      const scene = kit.scene();
      // A raw body with a gate before its end leaves in two halves.
      await scene.script({ ...nativeStream(halvedInside('🌊', bytesBefore)), gates: ['end'] });
      const label = `${bytesBefore} of 4 bytes in the first write`;
      const live = kit.openChat({ ...scene.minimal(model), stream: true }, { label });
      await scene.held(1);
      await scene.release();
      const exchange = await live.done;
      const { content } = kit.streamed(exchange, { ...streamAccepted, model });
      kit.countCase();
      judgeSameText(content, 'before 🌊 after', {
        requirement: 'SSE-007',
        aspect: 'fragments-join',
        exchange,
      });
    }
  },
});

/** A stream whose middle lies `bytesBefore` bytes into this character; a long native id of the right length moves it there. */
function halvedInside(character: string, bytesBefore: number): string {
  const build = (front: number, back: number): string => {
    const [role = '', ...rest] = nativeEvents([`before ${character} after`]);
    const padded = (event: string, length: number): string =>
      event.replace('{', `{"system_fingerprint":"${'x'.repeat(length)}",`);
    const [text = '', finish = '', ...ending] = rest;
    return [padded(role, front), text, padded(finish, back), ...ending].join('');
  };
  const bare = build(0, 0);
  const before = Buffer.byteLength(bare.slice(0, bare.indexOf(character)));
  const after = Buffer.byteLength(bare) - before;
  const lacking = before - after + 2 * bytesBefore;
  return lacking >= 0 ? build(0, lacking) : build(-lacking, 0);
}
