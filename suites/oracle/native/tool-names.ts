import type { Dialect } from '../../profile/dialects.ts';
import type { NativeView } from './view.ts';

/** Names of functions that the upstreams of a dialect take; others a gateway may have to replace, one for one. */
const legalNames: Readonly<Record<Dialect, RegExp>> = {
  'chat-completions': /^[a-zA-Z0-9_-]{1,64}$/,
  messages: /^[a-zA-Z0-9_-]{1,64}$/,
  'generate-content': /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
};

/** By the name that a tool was sent under, the one that it has at the upstream, where the dialect makes it another. */
export function toolNames(sent: NativeView, seen: NativeView): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [index, { name }] of sent.tools.entries()) {
    const native = seen.tools[index]?.name;
    const isFree = native !== undefined && !sent.tools.some((tool) => tool.name === native);
    if (isFree && !legalNames[seen.dialect].test(name)) names.set(name, native);
  }
  return names;
}
