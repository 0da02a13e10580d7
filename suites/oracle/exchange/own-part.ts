import { isDeepStrictEqual } from 'node:util';
import type { Dialect } from '../../profile/dialects.ts';
import { objectOf, objectsIn, readArguments } from '../native/json.ts';
import type { Call } from './call.ts';
import { meaningOf } from './finish-words.ts';
import type { Said } from './said.ts';

/** What an answer must hold where the gateway implements a part of the request itself. */
export type OwnPart =
  /** The text ends at a stop sequence that the upstream went past. */
  | { readonly kind: 'halted'; readonly firstStop: number }
  /** JSON mode became a tool of the gateway's own: the text is what its one call was given. */
  | { readonly kind: 'json'; readonly given: unknown; readonly end: string | null }
  /** JSON mode in some other way. */
  | { readonly kind: 'unknown' };

/** The part that the gateway implements itself in this answer; null if the answer must be what the upstream said. */
export function ownPart({ protocol, request }: Call, theirs: Dialect, said: Said): OwnPart | null {
  if (protocol !== 'chat') return null;
  const { response_format: format, stop, tools } = request ?? {};
  const places = [stop ?? []]
    .flat()
    .flatMap((text) =>
      typeof text === 'string' && said.text.includes(text) ? [said.text.indexOf(text)] : [],
    );
  if (places.length > 0) return { kind: 'halted', firstStop: Math.min(...places) };
  const isForced = theirs === 'messages' && (objectOf(format).type ?? 'text') !== 'text';
  if (!isForced) return null;
  const own = objectsIn(tools).map((tool) => objectOf(tool.function).name);
  const [call, ...more] = said.calls;
  if (call === undefined || more.length > 0 || call.name === '' || own.includes(call.name))
    return { kind: 'unknown' };
  const end = meaningOf(theirs, { finish: said.finish, calls: [] });
  return { kind: 'json', given: call.arguments, end: said.finish === 'tool_use' ? 'stop' : end };
}

/** Whether the text of the answer is what the upstream wrote up to its stop sequence. */
export function isHaltedText(text: string, said: string, firstStop: number): boolean {
  return text.length >= firstStop && said.startsWith(text);
}

/** Whether the text of the answer is the JSON that the upstream gave to the tool; a part of it where that was cut. */
export function isGivenJson(text: string, given: unknown): boolean {
  const cut = objectOf(given).unreadable;
  if (typeof cut === 'string')
    return text === cut || isDeepStrictEqual(readArguments(text), readArguments(cut));
  return isDeepStrictEqual(readArguments(text), given);
}
