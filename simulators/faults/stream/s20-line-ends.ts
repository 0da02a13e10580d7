import type { Frame, NativeAnswer } from '../../answers/native-answer.ts';
import type { Fault, FaultContext } from '../../fault-contract/fault.ts';
import { actsOn } from '../native/acts-on.ts';
import { withLineEnds } from '../native/line-ends.ts';
import { framingOf, lineEndOf } from '../native/open-answer.ts';

/**
 * Every way to write the same events. Forms: the line end (`mixed` uses all three in turn); `multi-line` spreads
 * the JSON over several `data:` lines; `no-space` omits the optional space after the colon.
 */
export const lineEnds: Fault = { id: 'S20', kind: 'edit', actsOn: actsOn.events, answer };

function answer(given: NativeAnswer, { form }: FaultContext): NativeAnswer {
  switch (form) {
    case 'cr':
      return withLineEnds(given, () => '\r');
    case 'lf':
      return withLineEnds(given, () => '\n');
    case 'mixed':
      // The order never puts CR before a bare LF. Together they would form a single line end.
      return withLineEnds(given, (k) => (['\n', '\r', '\r\n'] as const)[k % 3] ?? '\n');
    case 'multi-line':
      return rewritten(given, (json) => spread(json, lineEndOf(given)));
    case 'no-space':
      return rewritten(given, (json) => `data:${json}`);
    default:
      return withLineEnds(given, () => '\r\n');
  }
}

/** Rewrites every data line from its value. */
function rewritten(given: NativeAnswer, write: (value: string) => string): NativeAnswer {
  if (framingOf(given) !== 'events') return given;
  const frames = given.frames.map((frame): Frame => {
    const text = frame.bytes
      .toString('utf8')
      .replaceAll(/^data: ([^\r\n]*)/gm, (_, value: string) => write(value));
    return { ...frame, bytes: Buffer.from(text) };
  });
  return { ...given, frames };
}

/** Readers join the lines of one event with a line end, which JSON allows between any two tokens. */
function spread(value: string, lineEnd: string): string {
  if (!value.startsWith('{')) return `data: ${value}`;
  const lines = JSON.stringify(JSON.parse(value), null, 1).split('\n');
  return lines.map((line) => `data: ${line}`).join(lineEnd);
}
