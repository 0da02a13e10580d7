import { type Body, objectsIn } from '../../../suites/rewrite/json.ts';
import { refuses } from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, upstream } from '../../edits/mutant.ts';
import { dropHint, hintedIn, hintOf, toDialect } from '../../edits/native-edits.ts';

/** Gateways that change the cache hints on tools. */

const isHinted = (tool: Body): boolean => 'cache_control' in tool;
const nativeTools = (edit: (tools: readonly Body[], body: Body) => void): ReturnType<typeof toDialect> =>
  toDialect(/\/messages$/, (body) => edit(objectsIn(body.tools), body));

export const cacheToolMutants: readonly Mutant[] = [
  front(
    ['cache.tool-hint-fails', 'a hint on a tool breaks the gateway', 'CACHE-010', 'tool-clean'],
    refuses((body) => objectsIn(body.tools).some(isHinted), 'internal_error'),
  ),
  upstream(
    ['cache.tool-hint-moved', 'the last tool gets the hint of another', 'CACHE-010', 'same-tool'],
    nativeTools((tools) => {
      const hint = tools.find(isHinted)?.cache_control;
      for (const tool of tools) dropHint(tool);
      if (hint !== undefined) Object.assign(tools.at(-1) ?? {}, { cache_control: hint });
    }),
  ),
  upstream(
    ['cache.tool-lives-alike', 'hints on tools get the life of the first', 'MSG-028', 'tool-life'],
    nativeTools((tools) => {
      const [first, ...others] = tools.filter(isHinted).map(hintOf);
      for (const hint of others) hint.ttl = first?.ttl ?? '5m';
    }),
  ),
  upstream(
    ['cache.hint-beside-tools-lost', 'hints on tools replace those of messages', 'MSG-029', 'beside-tools'],
    nativeTools((tools, body) => {
      if (tools.some(isHinted)) for (const block of hintedIn(body)) dropHint(block);
    }),
  ),
];
