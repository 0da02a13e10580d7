import fc from 'fast-check';
import { expect, it } from 'vitest';
import { messagesDifferences } from '../../oracle/compat/same-messages.ts';
import { nativeRequests, withMarker } from './native-request.ts';

interface Turn {
  readonly role: string;
  readonly content: string | readonly Record<string, unknown>[];
}

it('draws requests that a native upstream accepts: alternating roles, a result for every call, the marker last', () => {
  fc.assert(
    fc.property(nativeRequests, (request) => {
      const text = JSON.stringify(withMarker(request, 'beta-mid-4-5', 'gc0123456789ab'));
      const { messages } = JSON.parse(text) as { messages: Turn[] };
      expect(messages.map(({ role }) => role)).toEqual(
        messages.map((_, at) => (at % 2 === 0 ? 'user' : 'assistant')),
      );
      expect(JSON.stringify(messages.at(-1))).toContain('gc0123456789ab');
      const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
      const used = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
      const answered = blocks.filter(({ type }) => type === 'tool_result').map(({ tool_use_id: id }) => id);
      expect(answered).toEqual(used);
      expect(new Set(used).size).toBe(used.length);
      expect(text.split('"cache_control"').length - 1).toBeLessThanOrEqual(4);
      expect(messagesDifferences(text, text)).toEqual([]);
    }),
    { numRuns: 200 },
  );
});
