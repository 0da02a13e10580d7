import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Tenant } from '../../engine/parts/tenant.ts';
import type { Scene } from '../../engine/scene.ts';
import { coveringArray } from '../../generators/covering-array.ts';
import { type ChatPairs, chatFactors, pairedChatBody } from '../../generators/paired-chat-body.ts';
import { wholeFault } from '../../oracle/native/whole-request.ts';
import { flag, part } from '../../rules/violation.ts';
import { judgeAccepted } from '../../steps/chat/judge-cell.ts';
import { familyModels, nativeRequest, shown } from '../../steps/chat/upstream-view.ts';
import { at, routesOf, scriptSecond } from '../../steps/failures/routed-call.ts';

/** How a request comes to its upstream. */
interface Way {
  readonly model: string;
  readonly attempt: 'first' | 'taken over' | 'fallen back';
  /** The channels that fail; empty where whichever is asked first does. */
  readonly failing: readonly string[];
}

export const legalInAnyPair: Check = defineCheck({
  id: 'chat.pairs.legal',
  title: 'any pair of legal values is accepted and arrives whole: first, taken over and fallen back',
  requirements: ['CHAT-010', 'CHAT-050'],
  kind: 'property',
  needs: ['upstream.control'],
  // Each second attempt leaves a failure behind, and so many of them would open a breaker.
  tenants: { quick: 1, full: 4 },
  run: async (parts) => {
    const { cases, rng, tenants } = parts;
    const [first, ...others] = waysOf(parts);
    if (first === undefined) return;
    const factors = { ...chatFactors, way: [first, ...others] as const };
    const rows = coveringArray(factors, rng, cases.full ? 3 : 2);
    for (const [place, { way, ...pairs }] of rows.entries())
      await part(() => judgePairs(parts, at(tenants, place), way, pairs));
  },
});

function waysOf({ target }: CheckParts): Way[] {
  const kinds = [...routesOf(target, 'pair'), ...routesOf(target, 'trio')];
  return [
    ...familyModels(target).map((model): Way => ({ model, attempt: 'first', failing: [] })),
    ...kinds.map(({ model }): Way => ({ model, attempt: 'taken over', failing: [] })),
    ...routesOf(target, 'fallback').map(({ model, channels }): Way => {
      return { model, attempt: 'fallen back', failing: channels.map(({ name }) => name) };
    }),
  ];
}

async function judgePairs(
  { cases, judge }: CheckParts,
  { http, newScene }: Tenant,
  way: Way,
  pairs: ChatPairs,
): Promise<void> {
  cases.count();
  const scene = newScene();
  await arrange(scene, way);
  const body = pairedChatBody(pairs, way.model, scene.prompt());
  const names = Object.keys(body).slice(2).join(', ');
  const exchange = await http.chat(body, {
    label: `${way.model}, ${way.attempt}, with ${names || 'nothing'}`,
  });
  // Whether a second attempt must be made is judged elsewhere (reading B-106).
  if (way.attempt === 'first') {
    judgeAccepted(judge, body, exchange, { requirement: 'CHAT-050', aspect: 'accepted-in-any-pair' });
    await nativeRequest(scene, 'CHAT-010', exchange);
  } else if (exchange.response?.status !== 200) judge.note(`${way.model}: not ${way.attempt}`);
  for (const { entry, text } of await scene.requestsNow()) {
    const fault = wholeFault(body, { path: entry.request.path, text });
    flag(fault === null, {
      requirement: fault?.what === 'turns' ? 'CHAT-010' : 'CHAT-050',
      aspect: 'whole-in-any-pair',
      expected: `${way.model} at ${entry.channel}, ${way.attempt}, ${fault?.what}: ${fault?.expected}`,
      actual: fault?.actual ?? '',
      exchange,
      upstream: shown({ text }),
    });
  }
}

async function arrange(scene: Scene, { attempt, failing }: Way): Promise<void> {
  if (attempt === 'taken over' || attempt === 'fallen back')
    await scriptSecond(scene, failing, { text: '{"all": "of it"}' });
}
