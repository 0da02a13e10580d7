import type { TextFrame } from '../../answers/native-answer.ts';
import type { Pace } from '../../latency/pace.ts';
import { type ModelResponse, type OutputItem, renderItem, renderResponse, textPart } from './reply.ts';

type Event = Readonly<Record<string, unknown>> & { readonly type: string };

/**
 * A response as named server-sent events with sequence numbers. The response and each item are opened, filled delta by delta
 * and closed. Deltas of messages and calls are due one after another; those of the reasoning are due at once.
 */
export function streamFrames(response: ModelResponse, pace: Pace): TextFrame[] {
  let number = 0;
  const write = (events: readonly Event[]): string =>
    events
      .map(({ type, ...event }) => {
        const data = JSON.stringify({ type, sequence_number: number, ...event });
        number += 1;
        return `event: ${type}\ndata: ${data}\n\n`;
      })
      .join('');
  const started = renderResponse(response, false);
  const frames: TextFrame[] = [];
  const opening: Event[] = [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
  ];
  frames.push({ label: 'role', text: write(opening), dueMs: 0 });
  let [deltas, thoughts] = [0, 0];
  let closing: Event[] = [];
  for (const [at, item] of response.items.entries()) {
    const { opened, each, closed } = eventsOf(item, at);
    for (const [k, event] of each.entries()) {
      const text = write([...closing, ...(k === 0 ? opened : []), event]);
      closing = [];
      const isThought = item.is === 'reasoning';
      frames.push({
        label: isThought ? `thought-${thoughts}` : `delta-${deltas}`,
        text,
        dueMs: isThought ? 0 : pace.dueMs(deltas),
      });
      if (isThought) thoughts += 1;
      else deltas += 1;
    }
    closing = [...closing, ...(each.length === 0 ? opened : []), ...closed];
  }
  const endMs = pace.dueMs(deltas);
  const type = response.incomplete === null ? 'response.completed' : 'response.incomplete';
  frames.push({ label: 'finish', text: write(closing), dueMs: endMs });
  frames.push({ label: 'done', text: write([{ type, response: renderResponse(response) }]), dueMs: endMs });
  return frames;
}

interface ItemEvents {
  readonly opened: readonly Event[];
  readonly each: readonly Event[];
  readonly closed: readonly Event[];
}

function eventsOf(item: OutputItem, output_index: number): ItemEvents {
  const where = { item_id: item.id, output_index };
  const added = { type: 'response.output_item.added', output_index, item: renderItem(item, false) };
  const done = { type: 'response.output_item.done', output_index, item: renderItem(item) };
  const inPart = (kind: string, part: object, whole: object, index: string): ItemEvents => {
    const [place, { text }] = [{ ...where, [index]: 0 }, item];
    const logprobs = index === 'content_index' ? { logprobs: [] } : {};
    return {
      opened: [
        added,
        {
          type: `response.${kind === 'output_text' ? 'content' : 'reasoning_summary'}_part.added`,
          ...place,
          part,
        },
      ],
      each: item.deltas.map((delta) => ({ type: `response.${kind}.delta`, ...place, delta, ...logprobs })),
      closed: [
        { type: `response.${kind}.done`, ...place, text, ...logprobs },
        {
          type: `response.${kind === 'output_text' ? 'content' : 'reasoning_summary'}_part.done`,
          ...place,
          part: whole,
        },
        done,
      ],
    };
  };
  switch (item.is) {
    case 'reasoning': {
      const part = (text: string): object => ({ type: 'summary_text', text });
      return inPart('reasoning_summary_text', part(''), part(item.text), 'summary_index');
    }
    case 'message':
      return inPart('output_text', textPart(''), textPart(item.text), 'content_index');
    case 'call':
      return {
        opened: [added],
        each: item.deltas.map((delta) => ({
          type: 'response.function_call_arguments.delta',
          ...where,
          delta,
        })),
        closed: [
          { type: 'response.function_call_arguments.done', ...where, name: item.name, arguments: item.text },
          done,
        ],
      };
  }
}
