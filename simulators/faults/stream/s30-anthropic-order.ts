import type { Fault } from '../../fault-contract/fault.ts';
import { editAnswer } from '../native/edit-answer.ts';
import { readPath, withMember } from '../native/json-path.ts';
import type { NativeEvent, OpenFrame } from '../native/open-answer.ts';

/**
 * Named events that are out of order, missing or duplicated. Forms: `delta-before-start`, the opening of the block
 * comes after its first delta; `no-block-stop` and `no-stop`, the block or the message is never closed;
 * `two-deltas`, the counts of the ending come in two cumulative events.
 */
export const eventOrder: Fault = editAnswer('S30', (frames, { form }) => {
  switch (form) {
    case 'no-block-stop':
      return without(frames, 'content_block_stop');
    case 'no-stop':
      return without(frames, 'message_stop');
    case 'two-deltas':
      return inTwoDeltas(frames);
    default:
      return startAfterDelta(frames);
  }
});

function without(frames: readonly OpenFrame[], type: string): OpenFrame[] {
  return frames.map((frame) => ({ ...frame, events: frame.events.filter(({ name }) => name !== type) }));
}

function startAfterDelta(frames: readonly OpenFrame[]): OpenFrame[] {
  const starts = frames.find(({ label }) => label === 'role')?.events.filter(isBlockStart) ?? [];
  return frames.map((frame) => {
    if (frame.label === 'role') {
      return { ...frame, events: frame.events.filter((event) => !isBlockStart(event)) };
    }
    return frame.label === 'delta-0' ? { ...frame, events: [...frame.events, ...starts] } : frame;
  });
}

function isBlockStart({ name }: NativeEvent): boolean {
  return name === 'content_block_start';
}

/** The first of the two events counts most of the output, and has no stop reason yet. */
function inTwoDeltas(frames: readonly OpenFrame[]): OpenFrame[] {
  return frames.map((frame) => ({
    ...frame,
    events: frame.events.flatMap((event) => {
      if (event.name !== 'message_delta' || typeof event.data === 'string') return [event];
      const output = Number(readPath(event.data, ['usage', 'output_tokens']) ?? 0);
      const counted = withMember(event.data, ['usage', 'output_tokens'], Math.max(0, output - 1));
      return [{ ...event, data: withMember(counted, ['delta', 'stop_reason'], null) }, event];
    }),
  }));
}
