import { describe, expect, it } from 'vitest';
import { ask, type CallerView } from '../testing/caller-view.ts';
import { delta, events, type FakeUpstream, testUsage } from '../testing/fake-upstream.ts';
import { response } from '../testing/generate-content-upstream.ts';
import { messageEnd, messageStart } from '../testing/messages-upstream.ts';
import { chatWords, generateWords, messagesWords, type NativeWords } from '../testing/native-dialects.ts';
import type { TestGateway } from '../testing/test-gateway.ts';
import { patientBreaker, twoEndsEachTest } from '../testing/two-ends.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachTest((ends) => {
  ({ upstream, gateway } = ends);
}, patientBreaker);

const counted = {
  seen: 'served',
  text: 'ab',
  finish: 'stop',
  usage: { prompt_tokens: 11, completion_tokens: 7 },
};

describe('the stream of one dialect', () => {
  const send = (words: NativeWords, pieces: readonly string[]): Promise<CallerView> => {
    upstream.fallback = events(pieces);
    return ask(gateway, words, true);
  };
  const chunk = (fields: object): string => `data: ${JSON.stringify(fields)}\n\n`;
  const choice = (index: number, content: string, more: object = {}): object => ({
    index,
    delta: { content },
    ...more,
  });

  it('has its counts in the choice or beside it, on the last text or on the end (S14, P12)', async () => {
    for (const more of [{ usage: testUsage }, { x_groq: { usage: testUsage } }]) {
      const pieces = [
        delta({ content: 'ab' }),
        chunk({ choices: [choice(0, '', { finish_reason: 'stop' })], ...more }),
      ];
      expect(await send(chatWords, [...pieces, 'data: [DONE]\n\n'])).toMatchObject(counted);
    }
    const inside = chunk({ choices: [choice(0, 'ab', { finish_reason: 'stop', usage: testUsage })] });
    expect(await send(chatWords, [inside])).toMatchObject(counted);
  });

  it('may end by its limit without a word, and not in calls that it never made (S28, M4)', async () => {
    expect(await send(chatWords, [...chatWords.opening, delta({}, 'length')])).toMatchObject({
      seen: 'served',
      text: '',
      finish: 'length',
    });
    expect(await send(chatWords, [...chatWords.opening, delta({}, 'tool_calls')])).toMatchObject({
      seen: 'refused',
      code: 'upstream_error',
    });
    expect(await send(messagesWords, [messageStart, ...messageEnd('tool_use')])).toMatchObject({
      seen: 'refused',
      code: 'upstream_error',
    });
  });

  it('comes as an array, in one line or in many (S31)', async () => {
    const answers = [response(['a']), response(['b']), response([], 'STOP')];
    for (const text of [JSON.stringify(answers), JSON.stringify(answers, null, 2)]) {
      expect(await send(generateWords, [text])).toMatchObject(counted);
    }
  });
});
