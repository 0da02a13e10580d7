import type { Frame, NativeAnswer } from '../../answers/native-answer.ts';
import type { Fault, FaultContext } from '../../fault-contract/fault.ts';
import { actsOn } from '../native/acts-on.ts';

/**
 * No blank line closes the last event before the body ends. Forms: `line-end` still ends its line, `bare` not
 * even that; `no-mark` omits the end mark, so that the event before it is the last.
 */
export const noLastBlank: Fault = { id: 'S21', kind: 'edit', actsOn: actsOn.events, answer };

function answer(given: NativeAnswer, { form }: FaultContext): NativeAnswer {
  const said = given.frames.filter(
    ({ label, bytes }) => bytes.length > 0 && !(form === 'no-mark' && label === 'done'),
  );
  const last = said.at(-1);
  if (last === undefined) return given;
  const text = last.bytes.toString('utf8');
  const open = text.replace(/(\r?\n)\r?\n$/, form === 'bare' ? '' : '$1');
  const unclosed: Frame = { ...last, bytes: Buffer.from(open) };
  return { ...given, frames: [...said.slice(0, -1), unclosed] };
}
