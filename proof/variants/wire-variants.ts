import { objectIn } from '../../suites/rewrite/json.ts';
import type { ProxyRequest } from '../../suites/rewrite/mutation.ts';
import type { Variant } from '../edits/mutant.ts';
import { chunkIn, isObject, type JsonObject, toEvent } from './rewrite.ts';

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

/** Gateways whose turns with tool calls differ where the rules leave it open. */
export const callVariants: readonly Variant[] = [
  {
    id: 'calls.stop-after-named',
    title: 'a call that tool_choice names ends its turn with finish_reason stop (TOOL-017)',
    mutation: {
      answer: (answer, request) => {
        const body = namesItsCall(request) ? objectIn(answer.body) : null;
        return body === null ? answer : { ...answer, body: Buffer.from(JSON.stringify(endedByStop(body))) };
      },
      events: (request) => {
        const named = namesItsCall(request);
        return (event) => {
          if (event === null) return [];
          const chunk = named ? chunkIn(event) : null;
          return [chunk === null ? event : toEvent(endedByStop(chunk))];
        };
      },
    },
  },
];

function namesItsCall(request: ProxyRequest): boolean {
  return isObject(objectIn(request.body)?.tool_choice);
}

function endedByStop(part: JsonObject): JsonObject {
  const choices: unknown[] = Array.isArray(part.choices) ? part.choices : [];
  const ended = choices.map((choice) =>
    isObject(choice) && choice.finish_reason === 'tool_calls' ? { ...choice, finish_reason: 'stop' } : choice,
  );
  return 'choices' in part ? { ...part, choices: ended } : part;
}
