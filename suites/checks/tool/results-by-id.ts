import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { readCaller } from '../../oracle/native/read.ts';
import { turnFault } from '../../oracle/native/same-turns.ts';
import { callOf, type HistoryCall, threeTools } from '../../oracle/sample-tools.ts';
import { must, part } from '../../rules/violation.ts';
import {
  familyModels,
  type NativeRequest,
  nativeRequest,
  readRequest,
  shown,
} from '../../steps/chat/upstream-view.ts';
import type { Exchange } from '../../wire/exchange.ts';

const rule = { requirement: 'TOOL-014', aspect: 'results-by-id' };

/** Two calls of one function, which only their ids distinguish, and one of another. */
const calls = (ids: readonly [string, string, string]): HistoryCall[] => [
  callOf(ids[0], 'look_up', '{"word":"sea"}'),
  callOf(ids[1], 'look_up', '{"word":"sky"}'),
  callOf(ids[2], 'spell', '{"word":"sea"}'),
];

/** Ids that an upstream may reject, and that become alike when characters are replaced or the end is cut. */
const oddIds: readonly (readonly [string, string, string])[] = [
  ['functions.look_up:0', 'functions.look_up:1', 'functions_look_up_1'],
  ['call 1', 'call.1', 'call_1'],
  [`${'c'.repeat(80)}1`, `${'c'.repeat(80)}2`, 'c'.repeat(80)],
];

interface Round {
  readonly made: readonly HistoryCall[];
  /** The calls in the order of their results. */
  readonly order: readonly HistoryCall[];
}

/** Conversations whose ids are of a form that a gateway does not issue. */
const oddTalks: readonly (readonly Round[])[] = [
  ...oddIds.map((ids) => [{ made: calls(ids), order: calls(ids).toReversed() }]),
  // The same ids again, in another round.
  [calls(['call_a1', 'call_b2', 'call_c3']), calls(['call_c3', 'call_a1', 'call_b2'])].map((made) => {
    return { made, order: made };
  }),
];

export const resultsKeepTheirIds: Check = defineCheck({
  id: 'tool.follow-up.results-by-id',
  title: 'tool results sent in any order reach the upstream under the ids of their own calls',
  requirements: ['TOOL-014'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    for (const model of familyModels(parts.target)) {
      const plain = calls(['call_a1', 'call_b2', 'call_c3']);
      for (const order of [plain, [...plain].reverse(), parts.rng.shuffle(plain)])
        await part(() => judgeTalk(parts, model, [{ made: plain, order }], false));
      for (const rounds of oddTalks) await part(() => judgeTalk(parts, model, rounds, true));
    }
  },
});

/** `mayRefuse`: a gateway may refuse ids of a form that it does not issue, cleanly. */
async function judgeTalk(
  { cases, newScene, http, judge }: CheckParts,
  model: string,
  rounds: readonly Round[],
  mayRefuse: boolean,
): Promise<void> {
  cases.count();
  const scene = newScene();
  const question = { role: 'user', content: scene.prompt() };
  const body = { model, tools: threeTools, messages: [question, ...rounds.flatMap(turnsOf)] };
  const ids = rounds.flatMap(({ order }) => order.map((call) => call.id.slice(0, 20))).join(', ');
  const exchange = await http.chat(body, { label: `${model}: ${ids}` });
  if (mayRefuse && exchange.response?.status === 400) {
    judge.refused(exchange, { ...rule, codes: ['invalid_param'] });
    judge.note(`refuses the call ids ${ids}`);
    // An upstream's refusal blames the caller only if the upstream got the caller's request unchanged.
    for (const request of await scene.requestsNow())
      judgeIds(body, readRequest(request), exchange, 'odd-ids-together');
    return;
  }
  judge.completed(exchange, { requirement: 'TOOL-014', aspect: 'results-accepted', model });
  const aspect = mayRefuse ? 'odd-ids-together' : rule.aspect;
  judgeIds(body, await nativeRequest(scene, 'TOOL-014', exchange), exchange, aspect);
}

function turnsOf({ made, order }: Round, round: number): JsonObject[] {
  return [
    { role: 'assistant', content: null, tool_calls: made },
    ...order.map(({ id, function: { arguments: args } }) => ({
      role: 'tool',
      tool_call_id: id,
      content: `result of ${args} by ${id.slice(-9)} in round ${round}`,
    })),
  ];
}

function judgeIds(body: object, native: NativeRequest, exchange: Exchange, aspect: string): void {
  const fault = turnFault(readCaller(body), native.view);
  const evidence = { exchange, upstream: shown(native) };
  const expected = `each result under the id of its call: ${fault?.expected}`;
  must(fault === null, { ...rule, ...evidence, aspect, expected, actual: fault?.actual ?? '' });
}
