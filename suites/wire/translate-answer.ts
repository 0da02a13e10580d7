import type { CarriedRequest, Translation } from '../profile/translation.ts';
import { ArrayItems, eventOf } from './array-events.ts';

type Headers = readonly (readonly [string, string])[];

interface Head {
  readonly status: number;
  readonly headers: Headers;
}

/** Reads an answer: its head once that is certain, and its body in pieces. */
export interface AnswerReader {
  /** The head in the specification's names; null while the whole body is needed to determine it. */
  readonly head: Head | null;
  /** Takes bytes as they arrive, and returns those that a check may see now. */
  push(bytes: Buffer): Buffer[];
  /** Called when the body has ended properly; returns the rest with the head. */
  end(): { readonly head: Head; readonly rest: Buffer[] };
  /** Called when the body broke off; returns the rest untranslated with the head. */
  broken(): { readonly head: Head; readonly rest: Buffer[] };
}

/** Reads a deployment's answer and translates it into the specification's names. */
export function readAnswer(translation: Translation, request: CarriedRequest, head: Head): AnswerReader {
  const isArray =
    head.status < 400 && translation.streamsArray?.(request) === true && !isEvents(head.headers);
  if (isArray) return arrayReader(translation, request, head);
  // An error is one body, whatever its content type says.
  return isEvents(head.headers) && head.status < 400
    ? streamReader(translation, request, head)
    : wholeReader(translation, request, head);
}

/** Reads a stream that comes as one JSON array, as the events that it would have been. */
function arrayReader(translation: Translation, request: CarriedRequest, original: Head): AnswerReader {
  const translate = translation.events(request);
  const headers = original.headers.filter(([name]) => !/^content-(?:type|length)$/i.test(name));
  const head = translation.streamHead({
    ...original,
    headers: [...headers, ['content-type', 'text/event-stream']],
  });
  const items = new ArrayItems();
  const written = (event: string): Buffer => Buffer.from(`${event}\n\n`);
  return {
    head,
    push: (bytes) => items.push(bytes).flatMap((item) => translate(eventOf(item)).map(written)),
    end: () => ({ head, rest: translate(null).map(written) }),
    broken: () => ({ head, rest: [] }),
  };
}

function isEvents(headers: Headers): boolean {
  return headers.some(
    ([name, value]) => /^content-type$/i.test(name) && /^\s*text\/event-stream/i.test(value),
  );
}

function wholeReader({ answer }: Translation, request: CarriedRequest, head: Head): AnswerReader {
  const pieces: Buffer[] = [];
  return {
    head: null,
    push: (bytes) => {
      pieces.push(bytes);
      return [];
    },
    end: () => {
      const body = Buffer.concat(pieces);
      const { body: seen, ...translated } = answer({ ...head, body }, request);
      return { head: translated, rest: seen === body ? pieces : [seen] };
    },
    broken: () => ({ head, rest: pieces }),
  };
}

/** The blank lines that may end an event. */
const blankLines = ['\r\n\r\n', '\n\n', '\r\r'];

function streamReader(translation: Translation, request: CarriedRequest, original: Head): AnswerReader {
  const translate = translation.events(request);
  const head = translation.streamHead(original);
  let held: Buffer = Buffer.alloc(0);
  return {
    head,
    push: (bytes) => {
      // The held bytes contain no complete end of an event, but possibly its beginning.
      let from = Math.max(0, held.length - 3);
      held = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
      const found: Buffer[] = [];
      for (let end = endOfEvent(held, from); end !== null; end = endOfEvent(held, from)) {
        found.push(inWords(translate, held.subarray(0, end.at), end.line));
        held = held.subarray(end.at + end.line.length);
        from = 0;
      }
      return found.filter(({ length }) => length > 0);
    },
    end: () => {
      const more = translate(null).map((event) => Buffer.from(`${event}\n\n`));
      return { head, rest: [...(held.length > 0 ? [held] : []), ...more] };
    },
    broken: () => ({ head, rest: held.length > 0 ? [held] : [] }),
  };
}

function endOfEvent(bytes: Buffer, from: number): { readonly at: number; readonly line: string } | null {
  const ends = blankLines
    .map((line) => ({ line, at: bytes.indexOf(line, from, 'latin1') }))
    .filter(({ at }) => at >= 0);
  return ends.toSorted((one, other) => one.at - other.at)[0] ?? null;
}

/** Translates an event; bytes that are not UTF-8 stay unchanged. */
function inWords(translate: (event: string) => readonly string[], event: Buffer, end: string): Buffer {
  const text = event.toString('utf8');
  const isText = Buffer.from(text).equals(event);
  const words = isText ? translate(text) : [text];
  const isSame = words.length === 1 && words[0] === text;
  return isSame || !isText
    ? Buffer.concat([event, Buffer.from(end)])
    : Buffer.from(words.map((one) => one + end).join(''));
}
