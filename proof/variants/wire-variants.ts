import type { Variant } from '../edits/mutant.ts';

/**
 * Gateways whose streams have the same events in another wire form.
 * They come last in a combination, because the other variants read events in the plain form.
 */
export const wireVariants: readonly Variant[] = [
  {
    id: 'stream.crlf',
    title: 'the lines of a stream end by CRLF (B-34)',
    mutation: { wire: { lineEnd: '\r\n' } },
  },
  {
    id: 'stream.comments',
    title: 'comments and heartbeats stand between the events of a stream (B-34)',
    mutation: {
      events: () => (event) => (event === null ? [] : [': keep-alive', `: next\n${event}`]),
    },
  },
  {
    id: 'stream.few-bytes',
    title: 'a stream arrives a few bytes at a time, also from inside a character',
    mutation: { wire: { bytesPerWrite: 7 } },
  },
  {
    id: 'stream.heartbeats',
    title: 'a comment comes whenever the stream has nothing to say for a moment (B-34)',
    mutation: { wire: { heartbeatMs: 15 } },
  },
  {
    id: 'stream.other-fields',
    title: 'events have a name and a number, and no space after the colon (B-34)',
    mutation: { events: () => numbered() },
  },
];

/** Each event with a name and a number, as compact as the grammar allows. */
function numbered(): (event: string | null) => readonly string[] {
  let count = 0;
  return (event) => {
    if (event === null) return [];
    count += 1;
    return [`event: message\nid: ${count}\n${event.replace(/^data: /, 'data:')}`];
  };
}
