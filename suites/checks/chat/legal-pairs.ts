import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { Scene } from '../../engine/scene.ts';
import { coveringArray } from '../../generators/covering-array.ts';
import {
  type ChatPairs,
  chatFactors,
  openMembers,
  pairedChatBody,
  plainPairs,
} from '../../generators/paired-chat-body.ts';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import { wholeFaults } from '../../oracle/native/whole-request.ts';
import { flag } from '../../rules/violation.ts';
import { judgeAccepted } from '../../steps/chat/judge-cell.ts';
import { familyModels, nativeRequest, shown } from '../../steps/chat/upstream-view.ts';
import { routesOf, scriptSecond } from '../../steps/failures/routed-call.ts';
import { fewTenants, sideBySide } from '../../steps/tenants/side-by-side.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';

/** The model and the attempt that send a request to its upstream. */
interface Way {
  readonly model: string;
  readonly attempt: 'first' | 'taken over' | 'fallen back';
  /** The channels that fail; if empty, the channel called first fails. */
  readonly failing: readonly string[];
}

export const legalInAnyPair: Check = defineCheck({
  id: 'chat.pairs.legal',
  title: 'any pair of legal values arrives whole, in each family and where another channel takes over',
  requirements: ['CHAT-010', 'CHAT-050'],
  kind: 'property',
  needs: ['upstream.control'],
  // Each second attempt leaves a failure behind, and so many of them would open a breaker.
  tenants: fewTenants,
  run: (parts) => sideBySide(parts, rowsOf(parts), (own, { way, ...pairs }) => judgePairs(own, way, pairs)),
});

type WayPairs = ChatPairs & { readonly way: Way };

/** Each dialect maps a field differently, so every family gets all pairs. Second attempts share one set of pairs. */
function rowsOf(parts: CheckParts): WayPairs[] {
  const { cases, rng } = parts;
  const ways = waysOf(parts);
  const over = (shared: readonly Way[]): WayPairs[] => {
    const [first, ...others] = shared;
    if (first === undefined) return [];
    return coveringArray({ ...chatFactors, way: [first, ...others] }, rng, cases.full ? 3 : 2);
  };
  if (cases.full) return over(ways);
  const firsts = ways.filter(({ attempt }) => attempt === 'first');
  return rng.shuffle([
    ...firsts.flatMap((way) => over([way])),
    ...over(ways.filter((way) => !firsts.includes(way))),
  ]);
}

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

async function judgePairs(parts: CheckParts, way: Way, pairs: ChatPairs): Promise<void> {
  const { cases, judge, http, newScene } = parts;
  cases.count();
  const scene = newScene();
  await arrange(scene, way);
  // A fallback model may lack vision.
  const vision = way.attempt === 'first' && chatModel(way.model)?.vision === true;
  const body = pairedChatBody(pairs, { model: way.model, prompt: scene.prompt(), vision });
  const names = Object.keys(body).slice(2).join(', ');
  const exchange = await http.chat(body, {
    label: `${way.model}, ${way.attempt}, with ${names || 'nothing'}`,
  });
  if (isOpenlyRefused(parts, body, exchange)) {
    await judgePairs(parts, way, plainPairs(pairs));
    return;
  }
  // Whether a second attempt must be made is judged elsewhere (reading B-106).
  if (way.attempt === 'first') {
    judgeAccepted(judge, body, exchange, { requirement: 'CHAT-050', aspect: 'accepted-in-any-pair' });
    await nativeRequest(scene, 'CHAT-010', exchange);
  } else if (!isSuccess(exchange)) judge.note(`${way.model}: not ${way.attempt}`);
  for (const { entry, text } of await scene.requestsNow()) {
    for (const { what, expected, actual } of wholeFaults(body, { path: entry.request.path, text }))
      flag(false, {
        requirement: what === 'turns' ? 'CHAT-010' : 'CHAT-050',
        ...{ aspect: 'whole-in-any-pair', member: what },
        expected: `${way.model} at ${entry.channel}, ${way.attempt}, ${what}: ${expected}`,
        actual,
        exchange,
        upstream: shown({ text }),
      });
  }
}

/** Whether the gateway rejects a member that it may reject. The refusal must name it. */
function isOpenlyRefused({ judge }: CheckParts, body: JsonObject, exchange: Exchange): boolean {
  const open = openMembers(body);
  if (open.length === 0 || exchange.response?.status !== 400) return false;
  const rule = { requirement: 'CHAT-050', aspect: 'accepted-in-any-pair', codes: ['invalid_param'] } as const;
  const { param } = judge.refused(exchange, rule);
  const [first = null] = open;
  judge.refused(exchange, { ...rule, param: open.find((name) => param?.startsWith(name)) ?? first });
  return true;
}

async function arrange(scene: Scene, { attempt, failing }: Way): Promise<void> {
  if (attempt === 'taken over' || attempt === 'fallen back')
    await scriptSecond(scene, failing, { text: '{"all": "of it"}' });
}
