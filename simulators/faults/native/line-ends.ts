import type { Frame, NativeAnswer } from '../../answers/native-answer.ts';
import { framingOf } from './open-answer.ts';

/** The events of a stream with other line ends; `endOf` returns that of line k. Other framings are unchanged. */
export function withLineEnds(given: NativeAnswer, endOf: (k: number) => string): NativeAnswer {
  if (framingOf(given) !== 'events') return given;
  let k = -1;
  const frames = given.frames.map((frame): Frame => {
    const text = frame.bytes.toString('utf8').replaceAll(/\r?\n/g, () => {
      k += 1;
      return endOf(k);
    });
    return { ...frame, bytes: Buffer.from(text) };
  });
  return { ...given, frames };
}
