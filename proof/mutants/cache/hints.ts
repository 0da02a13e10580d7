import { type Body, objectIn, objectsIn } from '../../../suites/rewrite/json.ts';
import {
  inBoth,
  inChunks,
  inPlain,
  inRequests,
  messagesIn,
  refuses,
  usageOf,
} from '../../edits/chat-edits.ts';
import { front, type Mutant, upstream } from '../../edits/mutant.ts';
import { dropHint, hintedAtUpstream, hintedIn, hintOf, toDialect } from '../../edits/native-edits.ts';

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

/** Sets cached_tokens of an answer, or of the end of a stream. */
function setCached(part: Body, change: (cached: number) => number): void {
  const usage = usageOf(part) as Body | null;
  const details = usage?.prompt_tokens_details as Body | null | undefined;
  if (details) details.cached_tokens = change(Number(details.cached_tokens));
}

let stamp = 0;
export const passingOn: readonly Mutant[] = [
  upstream(
    ['cache.hint-moved', 'a hint is moved to the end of its turn', 'CACHE-010', 'same-block'],
    inRequests((body) => {
      for (const message of messagesIn(body)) {
        const blocks = objectsIn(message.content);
        const hints = blocks.filter((block) => 'cache_control' in block).map(hintOf);
        for (const block of blocks) dropHint(block);
        for (const [index, hint] of hints.entries())
          Object.assign(blocks.at(index - hints.length) ?? {}, { cache_control: hint });
      }
    }),
  ),
  upstream(
    ['cache.hints-alike', 'several hints all get the life of the first', 'CACHE-010', 'same-slot'],
    inRequests((body) => {
      const [first, ...others] = hintedIn(body).map(hintOf);
      for (const hint of others) hint.ttl = first?.ttl ?? '5m';
    }),
  ),
  upstream(
    ['cache.system-hint-moved', 'hints on system text go to its last block', 'CACHE-010', 'system-block'],
    inRequests((body) => {
      const blocks = objectsIn(body.system);
      const [hint] = blocks.flatMap((block) => ('cache_control' in block ? [hintOf(block)] : []));
      for (const block of blocks) dropHint(block);
      if (hint !== undefined) Object.assign(blocks.at(-1) ?? {}, { cache_control: hint });
    }),
  ),
  front(
    [
      'cache.system-blocks-fail',
      'a system message of blocks breaks the gateway',
      'CACHE-010',
      'system-clean',
    ],
    refuses(
      (body) => messagesIn(body).some(({ role, content }) => role === 'system' && Array.isArray(content)),
      'internal_error',
    ),
  ),
  upstream(
    ['cache.hint-invented', 'the last block is always hinted', 'CACHE-008', 'no-hint'],
    toDialect(/\/messages(\/count_tokens)?$/, (body) => {
      const last = messagesIn(body).at(-1);
      if (typeof last?.content === 'string') last.content = [{ type: 'text', text: last.content }];
      Object.assign(objectsIn(last?.content).at(-1) ?? {}, { cache_control: { type: 'ephemeral' } });
    }),
  ),
];

/** Prompts that an upstream has already received. */
const attempted = new Set<string>();

export const besideTheRest: readonly Mutant[] = [
  upstream(
    [
      'cache.hint-beside-results-lost',
      'what follows tool results loses its hints',
      'CACHE-010',
      'rich-same-slots',
    ],
    toDialect(/\/messages$/, (body) => {
      for (const message of messagesIn(body)) {
        const [first, ...others] = objectsIn(message.content);
        if (first?.type === 'tool_result') for (const block of others) dropHint(block);
      }
    }),
  ),
  upstream(
    ['cache.hints-lost-on-retry', 'a second attempt has no hints', 'MSG-029', 'retry-same-slots'],
    toDialect(/\/messages$/, (body) => {
      const prompt = JSON.stringify(body);
      if (attempted.has(prompt)) for (const block of hintedIn(body)) dropHint(block);
      attempted.add(prompt);
    }),
  ),
];

/** Tokens that were last read from the cache for a prompt, by body. */
const lastReads = new Map<string, number>();

export const reporting: readonly Mutant[] = [
  front(
    [
      'cache.streamed-reads-hidden',
      'cached_tokens is 0 at the end of a stream',
      'CACHE-006',
      'streamed-hits',
    ],
    inChunks((chunk) => {
      setCached(chunk, () => 0);
      return undefined;
    }),
  ),
  upstream(
    ['cache.prompt-varies', 'each prompt gets a stamp of its own in front', 'CACHE-006', 'second-hits'],
    inRequests((body) => {
      const [first] = hintedIn(body);
      stamp += 1;
      if (typeof first?.text === 'string') first.text = `${stamp} ${first.text}`;
    }),
  ),
  front(
    ['cache.reads-made-up', 'a part of each prompt is said to come from the cache', 'CACHE-008', 'no-read'],
    inBoth((part) => setCached(part, (cached) => Math.max(cached, 1))),
  ),
  front(
    ['cache.writes-made-up', 'each prompt is said to be written to the cache', 'CACHE-008', 'no-write'],
    inPlain((completion) => {
      const details = (usageOf(completion) as Body | null)?.prompt_tokens_details as Body | undefined;
      if (details) details.cache_write_tokens = 1_000;
    }),
  ),
  front(
    ['cache.reads-rounded', 'reads are reported in whole hundreds', 'CACHE-007', 'read-reported'],
    inBoth((part) => setCached(part, (cached) => Math.floor(cached / 100) * 100)),
  ),
  front(
    ['cache.no-read-is-one', 'where nothing was read one token is', 'CACHE-009', 'no-read-made-up'],
    inBoth((part) => setCached(part, (cached) => Math.max(cached, 1))),
  ),
];

export const lives: readonly Mutant[] = [
  upstream(['cache.no-slot', 'no hint gets a slot', 'CACHE-009', 'lives-5m'], hintedAtUpstream(dropHint)),
  upstream(
    ['cache.five-minutes-are-an-hour', 'a slot of five minutes lives an hour', 'CACHE-009', 'ends-5m'],
    hintedAtUpstream((block) => {
      hintOf(block).ttl = '1h';
    }),
  ),
  upstream(
    ['cache.hour-is-five-minutes', 'a slot of an hour lives five minutes', 'CACHE-009', 'lives-1h'],
    hintedAtUpstream((block) => {
      delete hintOf(block).ttl;
    }),
  ),
  front(['cache.hour-never-ends', 'a read from an hour slot is reported for ever', 'CACHE-009', 'ends-1h'], {
    answer: (answer, request) => {
      const body = objectIn(request.body) ?? {};
      const completion = objectIn(answer.body);
      if (completion === null || !hintedIn(body).some((block) => hintOf(block).ttl === '1h')) return answer;
      const prompt = JSON.stringify(body.messages).slice(0, 200);
      setCached(completion, (cached) => {
        const known = Math.max(cached, lastReads.get(prompt) ?? 0);
        lastReads.set(prompt, known);
        return known;
      });
      return { ...answer, body: Buffer.from(JSON.stringify(completion)) };
    },
  }),
];
