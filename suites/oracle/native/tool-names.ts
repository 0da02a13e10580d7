import type { Dialect } from '../../profile/dialects.ts';
import type { NativeView } from './view.ts';

/** Function names that the upstreams of a dialect accept. A gateway may have to replace others, one for one. */
const legalNames: Readonly<Record<Dialect, RegExp>> = {
  'chat-completions': /^[a-zA-Z0-9_-]{1,64}$/,
  messages: /^[a-zA-Z0-9_-]{1,64}$/,
  'generate-content': /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
};

/** Maps the name of each tool as sent to its name at the upstream, in dialects that may change it. */
export function toolNames(sent: NativeView, seen: NativeView): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [index, { name }] of sent.tools.entries()) {
    const native = seen.tools[index]?.name;
    const isFree = native !== undefined && !sent.tools.some((tool) => tool.name === native);
    if (isFree && !legalNames[seen.dialect].test(name)) names.set(name, native);
  }
  return names;
}
