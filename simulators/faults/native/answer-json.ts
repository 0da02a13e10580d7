import type { Frame, NativeAnswer } from '../../answers/native-answer.ts';
import { isObject } from '../../json/json-body.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The place of a JSON document in an answer. */
export interface Place {
  readonly label: string;
  /** The number of the document within the answer, from 0. */
  readonly at: number;
}

/**
 * The answer with every JSON document (body, event data, array element) replaced by the result of `edit`. A document that
 * `edit` returns unchanged keeps its bytes.
 */
export function editJson(
  answer: NativeAnswer,
  edit: (document: JsonObject, place: Place) => unknown,
): NativeAnswer {
  let at = -1;
  return {
    ...answer,
    frames: answer.frames.map((frame) =>
      editText(frame, (text) => {
        const document: unknown = JSON.parse(text);
        if (!isObject(document)) return text;
        at += 1;
        const edited = edit(document as JsonObject, { label: frame.label, at });
        return edited === document ? text : render(edited, text);
      }),
    ),
  };
}

/** The frame with every JSON text replaced; `edit` may return text that is not JSON. */
export function editText(frame: Frame, edit: (json: string) => string): Frame {
  const text = frame.bytes.toString('utf8');
  const edited = /^data: ?/m.test(text)
    ? text.replaceAll(/^(data: ?)(\{.*\})(\r?)$/gm, (_, before: string, json: string, after: string) =>
        [before, edit(json), after].join(''),
      )
    : text.replace(
        /^([[,\s]*)(\{.*\})(\s*)$/s,
        (_, before: string, json: string, after: string) => before + edit(json) + after,
      );
  return edited === text ? frame : { ...frame, bytes: Buffer.from(edited) };
}

/** The JSON documents of an answer, in order. */
export function documentsOf(answer: NativeAnswer): JsonObject[] {
  const documents: JsonObject[] = [];
  editJson(answer, (document) => {
    documents.push(document);
    return document;
  });
  return documents;
}

/** Marks text that is written into the JSON without quotes. It must not contain a quote. */
export function literal(json: string): string {
  return `${mark}${json}${mark}`;
}

const mark = '\u{10FFFD}';

/** Keeps the indentation of the original. */
function render(value: unknown, original: string): string {
  const json = JSON.stringify(value, null, original.startsWith('{\n') ? 2 : 0);
  return json.replaceAll(new RegExp(`"${mark}([^"]*)${mark}"`, 'gu'), '$1');
}

/** The index of a delta's frame; for a delta that does not exist, that of the ending. */
export function frameOf({ frames }: NativeAnswer, delta: number): number {
  const places = [`delta-${delta}`, 'finish'].map((label) => frames.findIndex((one) => one.label === label));
  return places.find((place) => place !== -1) ?? frames.length - 1;
}
