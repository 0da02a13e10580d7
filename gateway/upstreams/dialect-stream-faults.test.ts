import { describe, expect, it } from 'vitest';
import { ask, type CallerView } from '../testing/caller-view.ts';
import { delta, events, type FakeUpstream, USAGE } from '../testing/fake-upstream.ts';
import { generateEvent, response } from '../testing/generate-content-upstream.ts';
import {
  blockDelta,
  MESSAGE_START,
  messageEnd,
  messageEvent,
  textBlock,
} from '../testing/messages-upstream.ts';
import { CHAT_WORDS, GENERATE_WORDS, MESSAGES_WORDS, type NativeWords } from '../testing/native-dialects.ts';
import type { TestGateway } from '../testing/test-gateway.ts';
import { PATIENT_BREAKER, twoEndsEachTest } from '../testing/two-ends.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachTest((ends) => {
  ({ upstream, gateway } = ends);
}, PATIENT_BREAKER);

const COUNTED = {
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

  it('has chunks without choices or without a delta (S11, S12)', async () => {
    const filter = { content_filter_results: { hate: { filtered: false, text: 'CANARY' } } };
    const odd = [
      chunk({ choices: [], prompt_filter_results: [{ prompt_index: 0, ...filter }] }),
      ...CHAT_WORDS.opening,
      delta({ content: 'ab' }),
      chunk({ choices: [{ index: 0, finish_reason: null, ...filter }] }),
      ...CHAT_WORDS.closing,
    ];
    expect(await send(CHAT_WORDS, odd)).toMatchObject(COUNTED);
  });

  it('has its counts in the choice or beside it, on the last text or on the end (S14, P12)', async () => {
    for (const more of [{ usage: USAGE }, { x_groq: { usage: USAGE } }]) {
      const pieces = [
        delta({ content: 'ab' }),
        chunk({ choices: [choice(0, '', { finish_reason: 'stop' })], ...more }),
      ];
      expect(await send(CHAT_WORDS, [...pieces, 'data: [DONE]\n\n'])).toMatchObject(COUNTED);
    }
    const inside = chunk({ choices: [choice(0, 'ab', { finish_reason: 'stop', usage: USAGE })] });
    expect(await send(CHAT_WORDS, [inside])).toMatchObject(COUNTED);
  });

  it.for([[{ role: 'assistant' }], [{}], [{ role: '' }]])(
    'has the role %j in every delta (S23)',
    async ([role]) => {
      const pieces = ['a', 'b'].map((content) => delta({ ...role, content }));
      const { answer, ...view } = await send(CHAT_WORDS, [...pieces, ...CHAT_WORDS.closing]);
      expect(view).toMatchObject(COUNTED);
      expect(answer.text.match(/"role"/g)).toHaveLength(1);
      expect(answer.text.indexOf('"role"')).toBeLessThan(answer.text.indexOf('"content"'));
    },
  );

  it('has choices that nobody asked for (S27)', async () => {
    const both = ['a', 'b'].flatMap((text) =>
      [0, 1].map((index) => chunk({ choices: [choice(index, text)] })),
    );
    expect(
      await send(CHAT_WORDS, [
        ...both,
        chunk({ choices: [choice(1, '', { finish_reason: 'length' })] }),
        ...CHAT_WORDS.closing,
      ]),
    ).toMatchObject(COUNTED);
    const candidates = ['a', 'b'].map((text) =>
      generateEvent({ candidates: [1, 0].map((index) => ({ index, content: { parts: [{ text }] } })) }),
    );
    expect(await send(GENERATE_WORDS, [...candidates, ...GENERATE_WORDS.closing])).toMatchObject(COUNTED);
  });

  it.for([
    ['insufficient_system_resource', 'broken', null],
    ['', 'broken', null],
    ['length', 'served', 'length'],
  ] as const)('ends in %j after a word (S28)', async ([reason, seen, finish]) => {
    expect(await send(CHAT_WORDS, [delta({ content: 'ab' }), delta({}, reason)])).toMatchObject({
      seen,
      finish,
    });
  });

  it('may end by its limit without a word, and not in calls that it never made (S28, M4)', async () => {
    expect(await send(CHAT_WORDS, [...CHAT_WORDS.opening, delta({}, 'length')])).toMatchObject({
      seen: 'served',
      text: '',
      finish: 'length',
    });
    expect(await send(CHAT_WORDS, [...CHAT_WORDS.opening, delta({}, 'tool_calls')])).toMatchObject({
      seen: 'refused',
      code: 'upstream_error',
    });
    expect(await send(MESSAGES_WORDS, [MESSAGE_START, ...messageEnd('tool_use')])).toMatchObject({
      seen: 'refused',
      code: 'upstream_error',
    });
  });

  it('has its events out of order, doubled or missing (S30)', async () => {
    const text = (part: string) => blockDelta(0, { type: 'text_delta', text: part });
    const [delta_ = '', stop = ''] = messageEnd();
    const early = messageEvent('message_delta', {
      delta: { stop_reason: null },
      usage: { output_tokens: 3 },
    });
    for (const odd of [
      [text('a'), MESSAGE_START, text('b'), delta_, stop],
      [MESSAGE_START, ...textBlock(0, ['a', 'b']), delta_],
      [MESSAGE_START, text('a'), early, text('b'), delta_, delta_, stop],
      [MESSAGE_START, ...textBlock(0, ['a', 'b']).slice(0, -1), delta_, stop],
    ])
      expect(await send(MESSAGES_WORDS, odd)).toMatchObject(COUNTED);
  });

  it('comes as an array, in one line or in many (S31)', async () => {
    const answers = [response(['a']), response(['b']), response([], 'STOP')];
    for (const text of [JSON.stringify(answers), JSON.stringify(answers, null, 2)]) {
      expect(await send(GENERATE_WORDS, [text])).toMatchObject(COUNTED);
    }
  });
});
