import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { type CacheSlot, cacheSlots, lifeOf, shownSlots } from '../../oracle/cache-slots.ts';
import { textBlock } from '../../oracle/sample-images.ts';
import { threeTools } from '../../oracle/sample-tools.ts';
import { flag, part } from '../../rules/violation.ts';
import { judgeAccepted } from '../../steps/chat/judge-cell.ts';
import { type NativeRequest, readRequest, shown } from '../../steps/chat/upstream-view.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import { serverFault } from '../../steps/failures/routed-call.ts';
import { cacheModels, hinted } from '../../steps/money/hinted.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';

type Ttl = '1h' | '5m' | null;

/** A request with hints on its tools, in their order; `undefined` for a tool without one. */
interface Case {
  readonly ttls: readonly (Ttl | undefined)[];
  readonly more?: JsonObject;
  /** The upstream fails the first time. */
  readonly fails?: true;
}

const json = { response_format: { type: 'json_object' } };

const hintCases: readonly Case[] = [
  { ttls: [undefined, undefined, '1h'] },
  { ttls: ['1h'], more: { stream: true } },
  { ttls: [undefined, '5m'], more: { tool_choice: 'auto' } },
  { ttls: [undefined, undefined, null], more: { stream: true, tool_choice: 'none' } },
  { ttls: ['1h', undefined, '5m'] },
  { ttls: ['1h', '1h', null], more: { stream: true, ...json } },
  { ttls: [undefined, '1h'], more: json },
  { ttls: ['1h', undefined, null], fails: true },
];

/**
 * The specification covers hints on message content only. Elsewhere a gateway may reject or drop a hint, but not change it.
 */
export const hintsOnToolsStay = defineCheck({
  id: 'cache.hints.tools',
  title: 'a cache hint on a tool is refused, dropped, or arrives on that tool with its lifetime',
  requirements: ['CACHE-010', 'MSG-028', 'MSG-029'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    for (const model of cacheModels(parts.target))
      for (const one of hintCases) await part(() => judgeCase(parts, model, one));
  },
});

async function judgeCase(parts: CheckParts, model: string, { ttls, more, fails }: Case): Promise<void> {
  const { cases, newScene, http, judge } = parts;
  cases.count();
  const scene = newScene();
  if (fails) {
    await keepClosed(parts, model);
    await scene.script(serverFault, {});
  }
  // Hints with longer lifetimes come first, so the text's lifetime must not exceed the last tool's.
  const life = lifeOf(ttls.at(-1));
  const text = hinted(textBlock('The first poem.'), life === '1h' ? '1h' : null);
  const tools = threeTools.map((tool, at) => {
    const ttl = ttls[at];
    return ttl === undefined ? tool : hinted(tool, ttl);
  });
  const content = [text, textBlock(scene.prompt('Answer in JSON, or call a tool.'))];
  const body = { model, tools, messages: [{ role: 'user', content }], ...more };
  const exchange = await http.chat(body, { label: `hints on tools for ${ttls.join(', ')}, ${model}` });
  const rule = { requirement: 'CACHE-010', aspect: 'tool-clean' };
  if (exchange.response?.status === 400) {
    judge.refused(exchange, { ...rule, codes: ['invalid_param', 'unsupported_capability'] });
    judge.note(`${model}: hints on tools are refused`);
    return;
  }
  if (!fails || isSuccess(exchange)) judgeAccepted(judge, body, exchange, rule);
  for (const request of await scene.requestsNow()) {
    const native = readRequest(request);
    judgeTools(native, exchange, ttls);
    judgeText(native, exchange, life);
    if (native.view.tools.every(({ cache }) => cache === null))
      judge.note(`${model}: hints on tools are dropped`);
  }
}

/** Judges the hints that arrived: each on a tool that had one, and with its life. */
function judgeTools(native: NativeRequest, exchange: Exchange, ttls: Case['ttls']): void {
  const upstream = shown(native);
  for (const { name, cache } of native.view.tools) {
    if (cache === null) continue;
    const ttl = ttls[threeTools.findIndex((tool) => tool.function.name === name)];
    const evidence = { exchange, upstream, actual: `${name}: ${JSON.stringify(cache)}` };
    flag(ttl !== undefined, {
      requirement: 'CACHE-010',
      aspect: 'same-tool',
      expected: `no hint on the tool ${name}, which had none`,
      ...evidence,
    });
    flag(ttl === undefined || lifeOf(cache.ttl) === lifeOf(ttl), {
      requirement: 'MSG-028',
      aspect: 'tool-life',
      expected: `a hint for ${lifeOf(ttl)} on the tool ${name}`,
      ...evidence,
    });
  }
}

/** Judges the hint in the message, which must work even if hints on tools are dropped. */
function judgeText(native: NativeRequest, exchange: Exchange, life: CacheSlot['life']): void {
  const seen = cacheSlots(native.view);
  const isKept = seen.length === 1 && seen[0]?.life === life && seen[0].prefix.endsWith('The first poem.');
  flag(isKept, {
    requirement: 'MSG-029',
    aspect: 'beside-tools',
    expected: `${life} after …The first poem.`,
    actual: shownSlots(seen),
    exchange,
    upstream: shown(native),
  });
}
