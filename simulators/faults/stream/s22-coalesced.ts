import { chatDialect, type Frame, type NativeAnswer } from '../../answers/native-answer.ts';
import type { Fault, FaultContext } from '../../fault-contract/fault.ts';
import { inCharacters } from '../native/characters.ts';
import { mapFrame } from '../native/edit-answer.ts';
import { type JsonObject, withMember } from '../native/json-path.ts';
import { closeAnswer, openAnswer } from '../native/open-answer.ts';

/**
 * Forms: `one-write` sends every character as an event of its own and all events in one write; `one-megabyte` makes one
 * event of the stream that large, with what a client has no use for.
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

/** Letters of no meaning, as an upstream sends them that hides the lengths of what it says. */
const filling = 'abcdefghijklmnopqrstuvwxyz012345'.repeat(32 * 1024);

function withSignature(data: JsonObject): JsonObject {
  return withMember(data, ['candidates', 0, 'content', 'parts', 0, 'thoughtSignature'], filling);
}

/** The dialect has no member that could be so long: white space between two tokens can. */
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
