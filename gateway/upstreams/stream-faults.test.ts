import { describe, expect, it } from 'vitest';
import { ask, type CallerView } from '../testing/caller-view.ts';
import { events, type FakeUpstream, type StreamEnd } from '../testing/fake-upstream.ts';
import { nativeWords } from '../testing/native-dialects.ts';
import type { TestGateway } from '../testing/test-gateway.ts';
import { patientBreaker, twoEndsEachTest } from '../testing/two-ends.ts';

/** Only the idle time is short: time that these tests make pass must not end a connection before it stands. */
const longMs = 600_000;
const patient = {
  ...patientBreaker,
  upstream: { connect_timeout_ms: longMs, first_byte_timeout_ms: longMs },
};

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachTest((ends) => {
  ({ upstream, gateway } = ends);
}, patient);

const expectedAnswer = { seen: 'served', text: 'ab', finish: 'stop' };

describe.for(nativeWords.map((words) => [words.name, words] as const))('%s', ([name, words]) => {
  const { opening, closing, piece } = words;
  const isChat = name === 'chat-completions';
  const begun = [...opening, piece('a'), piece('b')];
  const send = (pieces: readonly (string | Uint8Array)[], end?: StreamEnd): Promise<CallerView> => {
    upstream.fallback = events(pieces, end);
    return ask(gateway, words, true);
  };

  it('that has had its reason is complete, whatever becomes of the rest (S1)', async () => {
    const [last = ''] = closing.slice(-1);
    const cuts = isChat
      ? [closing.slice(0, 2), [closing[0] ?? ''], [...closing.slice(0, 2), 'data: {"x']]
      : [closing];
    for (const kept of [...cuts, [...closing.slice(0, -1), last]]) {
      for (const end of ['fin', 'reset'] as const)
        expect(await send([...begun, ...kept], end)).toMatchObject(expectedAnswer);
    }
  });

  it('may say a thing twice: nobody can tell (S25)', async () => {
    expect(await send([...opening, piece('a'), piece('a'), ...closing])).toMatchObject({
      seen: 'served',
      text: 'aa',
    });
  });
});
