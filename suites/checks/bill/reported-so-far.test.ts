import { expect, it } from 'vitest';
import type { UpstreamRequest } from '../../engine/upstream-request.ts';
import { allOf, type NativeCounts } from '../../generators/native/answer.ts';
import { native } from '../../generators/native-answer.ts';
import { reportedSoFar } from './reported-so-far.ts';

const counts: NativeCounts = { prompt_tokens: 70_003, completion_tokens: 9_007, cached_tokens: 30_011 };
const written = { cache_write_tokens: 20_021, cache_write_1h_tokens: 10_007 };

function reported(events: readonly string[]): NativeCounts | null {
  const body_base64 = Buffer.from(events.join('')).toString('base64');
  return reportedSoFar({ entry: { reply: { body_base64 } } } as UpstreamRequest);
}

it.each(['chat-completions', 'generate-content', 'messages'] as const)(
  'reads the whole count at the end of a %s stream',
  (dialect) => {
    const usage = dialect === 'messages' ? { ...counts, ...written } : counts;
    expect(reported(allOf(native(dialect).stream(['one'], { usage })))).toEqual(usage);
  },
);

it('reads the input counts at the start of a messages stream', () => {
  const { opening, fragments } = native('messages').stream(['one', 'two'], {
    usage: { ...counts, ...written },
  });
  expect(reported([...opening, ...fragments])).toEqual({ ...counts, ...written, completion_tokens: 1 });
});

it('reads nothing before the end of a stream that counts at its end', () => {
  const { opening, fragments } = native('chat-completions').stream(['one', 'two'], { usage: counts });
  expect(reported([...opening, ...fragments])).toBeNull();
});
