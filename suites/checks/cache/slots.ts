import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { must } from '../../rules/violation.ts';
import { cacheModels, hinted, longRequest } from '../../steps/money/hinted.ts';

export const repeatedPromptHits = defineCheck({
  id: 'cache.prompt.repeated',
  title: 'a long prompt with a cache hint, sent again, is reported as cached, plain and streamed',
  requirements: ['CACHE-006'],
  kind: 'metamorphic',
  needs: [],
  run: async ({ cases, newScene, http, judge, target, rng }) => {
    for (const model of target.few(cacheModels(target))) {
      for (const ttl of target.few([null, '1h'] as const)) {
        cases.count();
        const body = longRequest(rng, newScene(), model, (block) => hinted(block, ttl));
        const label = `${model}, ${ttl === null ? 'default life' : `ttl ${ttl}`}`;
        const rule = { requirement: 'CACHE-006', model };
        const first = await http.chat(body, { label: `${label}, the first time` });
        judge.completed(first, { ...rule, aspect: 'first-accepted' });
        const second = await http.chat(body, { label: `${label}, the second time` });
        const again = judge.completed(second, { ...rule, aspect: 'second-accepted' });
        const third = await http.chat({ ...body, stream: true }, { label: `${label}, streamed` });
        const streamed = judge.streamed(third, { ...rule, aspect: 'second-accepted' });
        for (const [aspect, { usage }, exchange] of [
          ['second-hits', again, second],
          ['streamed-hits', streamed, third],
        ] as const) {
          const own = { requirement: 'CACHE-006', aspect, exchange, twin: first };
          const expected = `${model}: cached_tokens above 0 for the same prompt sent again`;
          const actual = JSON.stringify(usage);
          must((usage?.prompt_tokens_details?.cached_tokens ?? 0) > 0, { ...own, expected, actual });
        }
      }
    }
  },
});

const minuteMs = 60_000;

/** How far the clock jumps between two polls of the same prompts, and which slots then live. A read renews a slot. */
const polls = [
  { waitMs: 4 * minuteMs, alive: { '5m': true, '1h': true } },
  { waitMs: 5 * minuteMs + 1_000, alive: { '5m': false, '1h': true } },
  { waitMs: 59 * minuteMs, alive: { '5m': false, '1h': true } },
  { waitMs: 60 * minuteMs + 1_000, alive: { '5m': false, '1h': false } },
] as const;

export const slotsEndAfterTheirLife = defineCheck({
  id: 'cache.slot.life',
  title: 'a prompt is read from its cache slot for five minutes or one hour, and no longer',
  requirements: ['CACHE-009'],
  kind: 'timing',
  needs: ['hooks.clock'],
  clock: 'jump',
  run: async (parts) => {
    const { rng, newScene, clock, cases, target } = parts;
    const model = rng.pick(cacheModels(target));
    const prompts = (['5m', '1h'] as const).map((life) => ({
      life,
      body: longRequest(rng, newScene(), model, (block) => hinted(block, life === '5m' ? null : life)),
    }));
    for (const { life, body } of prompts) await ask(parts, model, body, `${life} slot, written`);
    let passedMs = 0;
    for (const { waitMs, alive } of polls) {
      await clock.jump(waitMs);
      passedMs += waitMs;
      for (const { life, body } of prompts) {
        cases.count();
        const after = `${Math.floor(passedMs / minuteMs)} min`;
        const { read, exchange } = await ask(parts, model, body, `${life} slot after ${after}`);
        const rule = {
          requirement: 'CACHE-009',
          aspect: `${alive[life] ? 'lives' : 'ends'}-${life}`,
          exchange,
        };
        const wanted = `cached_tokens ${alive[life] ? 'above 0' : '0'}`;
        const expected = `${wanted} ${waitMs / 1_000} s after the last use of a ${life} slot`;
        must(read > 0 === alive[life], { ...rule, expected, actual: `cached_tokens ${read}` });
      }
    }
  },
});

/** Sends the prompt once and returns how many tokens were read from the cache. */
async function ask({ http, judge }: CheckParts, model: string, body: JsonObject, label: string) {
  const exchange = await http.chat(body, { label });
  const { usage } = judge.completed(exchange, { requirement: 'CACHE-009', aspect: 'accepted', model });
  return { read: usage.prompt_tokens_details?.cached_tokens ?? 0, exchange };
}
