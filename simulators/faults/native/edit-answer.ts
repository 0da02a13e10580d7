import type { AnswerKind, NativeAnswer } from '../../answers/native-answer.ts';
import type { Fault, FaultContext } from '../../fault-contract/fault.ts';
import { isJsonObject, type JsonObject } from './json-path.ts';
import { closeAnswer, type NativeEvent, type OpenFrame, openAnswer } from './open-answer.ts';

/** The data of an edit besides the frames: their answer, and the requested fault. */
export interface EditContext extends FaultContext {
  readonly given: NativeAnswer;
  readonly call: AnswerKind;
}

/** A fault in the content of an answer; its serialisation stays unchanged. */
export function editAnswer(
  id: string,
  edit: (frames: readonly OpenFrame[], context: EditContext) => readonly OpenFrame[],
  more: Pick<Fault, 'actsOn' | 'states'> = {},
): Fault {
  return {
    id,
    kind: 'edit',
    ...more,
    answer: (given, context) =>
      closeAnswer(given, edit(openAnswer(given), { ...context, given, call: given.call })),
  };
}

/** Changes every event that is JSON. */
export function mapEvents(
  frames: readonly OpenFrame[],
  change: (data: JsonObject, frame: OpenFrame) => JsonObject,
): OpenFrame[] {
  return frames.map((frame) => ({
    ...frame,
    events: frame.events.map(
      (event): NativeEvent =>
        isJsonObject(event.data) ? { ...event, data: change(event.data, frame) } : event,
    ),
  }));
}

/** Changes the events of one kind of frame, by its label. */
export function mapFrame(
  frames: readonly OpenFrame[],
  label: string,
  change: (data: JsonObject) => JsonObject,
): OpenFrame[] {
  return mapEvents(frames, (data, frame) => (frame.label === label ? change(data) : data));
}
