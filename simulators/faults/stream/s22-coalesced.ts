import { chatDialect, type Frame, type NativeAnswer } from '../../answers/native-answer.ts';
import type { Fault, FaultContext } from '../../fault-contract/fault.ts';
import { inCharacters } from '../native/characters.ts';
import { mapFrame } from '../native/edit-answer.ts';
import { type JsonObject, withMember } from '../native/json-path.ts';
import { closeAnswer, openAnswer } from '../native/open-answer.ts';

/**
 * Many events in one write, or one huge event. Forms: `one-write` sends every character as its own event and all
 * events in one write; `one-megabyte` pads one event of the stream to that size with useless data.
 */
export const coalesced: Fault = { id: 'S22', kind: 'edit', answer };

function answer(given: NativeAnswer, { dialect, form }: FaultContext): NativeAnswer {
  const frames = openAnswer(given);
  if (form !== 'one-megabyte') {
    return inOneWrite(
      closeAnswer(
        given,
        inCharacters(frames, dialect, (_, { dueMs }) => dueMs),
      ),
    );
  }
  switch (chatDialect(dialect)) {
    case 'chat-completions':
      return closeAnswer(
        given,
        mapFrame(frames, 'delta-0', (data) => ({ ...data, obfuscation: filling })),
      );
    case 'generate-content':
      return closeAnswer(given, mapFrame(frames, 'delta-0', withSignature));
    case 'messages':
      return padded(given);
  }
}

/** Meaningless letters. Some upstreams send them to hide the length of their answers. */
const filling = 'abcdefghijklmnopqrstuvwxyz012345'.repeat(32 * 1024);

function withSignature(data: JsonObject): JsonObject {
  return withMember(data, ['candidates', 0, 'content', 'parts', 0, 'thoughtSignature'], filling);
}

/** Pads with white space between two JSON tokens, because the dialect has no member for so much text. */
function padded(given: NativeAnswer): NativeAnswer {
  const frames = given.frames.map((frame): Frame => {
    if (frame.label !== 'delta-0') return frame;
    const text = frame.bytes.toString('utf8').replace('data: {', `data: {${' '.repeat(filling.length)}`);
    return { ...frame, bytes: Buffer.from(text) };
  });
  return { ...given, frames };
}

function inOneWrite(given: NativeAnswer): NativeAnswer {
  const bytes = Buffer.concat(given.frames.map((frame) => frame.bytes));
  return { ...given, frames: [{ label: 'done', bytes, dueMs: given.frames.at(-1)?.dueMs ?? 0 }] };
}
