import { describe, expect, it } from 'vitest';
import { textSoFar } from './text-so-far.ts';

const event = (content: unknown): string =>
  `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;

describe('the text of an unfinished stream', () => {
  it('joins deltas, however they are split', () => {
    expect(textSoFar(event('first-p') + event('') + event(null) + event('iece'))).toBe('first-piece');
  });

  it('ignores an incomplete event, [DONE] and data that is no chunk', () => {
    expect(
      textSoFar(`: hi\n\n${event('a')}data: [DONE]\n\ndata: 7\n\ndata: null\n\n${event('b').trim()}`),
    ).toBe('a');
  });
});
