import fc from 'fast-check';
import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../../engine/check.ts';
import { declaredCharge, type MarkedUpKey } from '../../../engine/declared-price.ts';
import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import type { Scene } from '../../../engine/scene.ts';
import { coveringArray } from '../../../generators/covering-array.ts';
import { asNative, usageCounts } from '../../../generators/usage-counts.ts';
import { dialectOf } from '../../../oracle/native/dialects.ts';
import type { UsageCounts } from '../../../oracle/price.ts';
import type { Dialect } from '../../../profile/dialects.ts';
import { part } from '../../../rules/violation.ts';
import { heldStream, leaveStream } from '../../../steps/chat/leave-stream.ts';
import { routesOf, serverFault } from '../../../steps/failures/routed-call.ts';
import { judgeLabels, type Labels } from '../../../steps/money/logged-labels.ts';
import { mayServe } from '../../../steps/protocols/said.ts';
import { type ChatWay, chatWay, faultyBody, wayLabel } from '../../../steps/ways/way-in.ts';
import { chatWaysOf, keepWayClosed } from '../../../steps/ways/ways-of.ts';
import { type Exchange, isSuccess } from '../../../wire/exchange.ts';
import { booked } from './books.ts';
import { judgeFreeStory, judgeLeftStory, judgeServedStory } from './judge-story.ts';

/** Which attempt the ending is that of: the first, one more on the same or another channel, or that of the fallback. */
const courses = ['first', 'retried', 'taken over', 'fallen back'] as const;
type Course = (typeof courses)[number];

const endings = [
  'answered',
  'failed',
  'cut after its head',
  'cut before its first word',
  'refused',
  'left',
] as const;
type Ending = (typeof endings)[number];

/** Kinds of counts: without a cache, with all that the dialect reports, and drawn ones. */
const kinds = ['plain', 'cached', 'drawn'] as const;

/** How long the charge of an abandoned call may take to be entered, ms. */
const laterMs = 5_000;

/** A call to make: how, by whom, how it ends, and which channels fail. */
interface Plan {
  readonly way: ChatWay;
  readonly course: Course;
  readonly ending: Ending;
  /** The model that answers. */
  readonly served: string;
  readonly failing: readonly string[];
  readonly counts: UsageCounts;
}

export const chatTellsOneStory = defineCheck({
  id: 'bill.story.chat',
  title: 'record, charge, quota and balance of a chat call agree, however it is made and ends',
  requirements: ['BILL-001', 'BILL-006', 'BILL-007', 'BILL-008', 'BILL-009', 'CHAT-042', 'CHAT-047'],
  kind: 'property',
  needs: ['upstream.control', 'hooks.usage', 'charges', 'pricing.models', 'pricing.markup'],
  run: async (parts) => {
    const { rng, keys, cases } = parts;
    const [first, ...others] = await chatWaysOf(parts);
    if (first === undefined) return;
    const payers = keys.K5 === undefined ? (['K1'] as const) : (['K1', 'K5'] as const);
    const ways = [first, ...others] as const;
    const factors = { way: ways, course: courses, ending: endings, kind: kinds, payer: payers };
    for (const { payer, ...row } of coveringArray(factors, rng, cases.full ? 3 : 2))
      await part(async () => {
        // Only a stream is left midway. Otherwise half of the rows would leave nothing, and chance decide after which course.
        const streamed = ways.find(({ stream, protocol }) => stream && protocol === row.way.protocol);
        const plan = planOf(parts, { ...row, way: (row.ending === 'left' && streamed) || row.way });
        if (plan !== null) await play(parts, plan, payer);
      });
  },
});

type Row = Pick<Plan, 'way' | 'course' | 'ending'> & { readonly kind: (typeof kinds)[number] };

/** The call of one row; null where the deployment has no model for it, or the form does not end so. */
function planOf(parts: CheckParts, { way, ending, kind, ...row }: Row): Plan | null {
  if (ending === 'left' && !way.stream) return null;
  // No upstream is asked.
  const course = ending === 'refused' ? 'first' : row.course;
  const own = (model: string): ChatWay => chatWay(way.protocol, model, way.stream);
  const countsFor = (model: string): UsageCounts => countsOf(parts, dialectOf(model), kind);
  const plan = (used: ChatWay, served = used.model, failing: readonly string[] = []): Plan => ({
    ...{ way: used, course, ending, served, failing, counts: countsFor(served) },
  });
  const routed = course === 'taken over' ? 'pair' : course === 'fallen back' ? 'fallback' : null;
  if (routed === null) return plan(way);
  const route = routesOf(parts.target, routed).find(({ model, fallback = model }) =>
    [model, fallback].every((id) => mayServe(way.protocol, id)),
  );
  const [channel] = route?.channels ?? [];
  if (route === undefined || channel === undefined) return null;
  const { model, fallback, channels } = route;
  if (routed === 'pair') return { ...plan(own(model)), counts: countsOf(parts, channel.dialect, kind) };
  const failing = channels.map(({ name }) => name);
  return fallback === undefined ? null : plan(own(model), fallback, failing);
}

function countsOf({ rng }: CheckParts, dialect: Dialect, kind: (typeof kinds)[number]): UsageCounts {
  const none = { cached_tokens: 0, cache_write_5m_tokens: 0, cache_write_1h_tokens: 0 };
  if (kind === 'plain') return { ...none, prompt_tokens: 7_003, completion_tokens: 907 };
  if (kind === 'cached') {
    const written = { cache_write_5m_tokens: 301, cache_write_1h_tokens: 53 };
    const writes = dialect === 'messages' ? written : {};
    return { ...none, ...writes, prompt_tokens: 9_011, completion_tokens: 103, cached_tokens: 5_009 };
  }
  // Prompt and answer are never empty, so each counts at least one token.
  const some = usageCounts(dialect).filter((drawn) => drawn.prompt_tokens > 0 && drawn.completion_tokens > 0);
  const [counts] = fc.sample(some, { numRuns: 1, seed: rng.int(2 ** 31) });
  return counts as UsageCounts;
}

async function play(parts: CheckParts, plan: Plan, payer: MarkedUpKey): Promise<void> {
  const { cases, keys, target, newScene, judge } = parts;
  const { way, course, ending, served, counts } = plan;
  const answered = chatWay(way.protocol, served, way.stream);
  cases.count();
  const fails = failureOf(ending, {}) !== null;
  if (fails || plan.failing.length > 0) await keepWayClosed(parts, way, 2);
  else if (course !== 'first') await keepWayClosed(parts, way, 1);
  if (fails && served !== way.model) await keepWayClosed(parts, answered, 2);
  const scene = newScene();
  await arrange(scene, plan);
  const key = keys[payer] ?? keys.K1;
  const later = ending === 'left' ? laterMs : 0;
  const story = await booked(parts, key, () => call(parts, scene, plan, key), later);
  const { exchange, books } = story;
  const labels = labelsOf(plan, scene);
  const [record] = books.records;
  // What is charged is recorded with the caller's labels, however the call ended.
  if (labels.user !== undefined && books.charge !== 0n && record !== undefined)
    judgeLabels(record, labels, exchange);
  const due = { model: way.model, served, stream: way.stream, pictures: null };
  const chargeFor = (own: UsageCounts): bigint => declaredCharge(target.profile, served, own, payer);
  const attempts = (await scene.requestsNow()).length;
  const isBegun = isSuccess(exchange);
  // A started stream may cost the tokens counted so far (reading B-36).
  if (fails && isBegun) return judgeLeftStory(story, due, chargeFor);
  if (fails || ending === 'refused') return judgeFreeStory(story);
  // Whether a second attempt must be made is judged elsewhere (reading B-106).
  if (course !== 'first' && (!isBegun || attempts < 2))
    return judge.note(`${exchange.label}: HTTP ${exchange.response?.status} after ${attempts} attempts`);
  if (ending === 'left') return judgeLeftStory(story, due, chargeFor);
  answered.judgeServed(parts, exchange, { requirement: 'BILL-009', aspect: 'served' });
  judgeServedStory(story, { ...due, counts, attempts, charge: chargeFor(counts) });
}

/** The reply of a failing upstream; some fail after counting tokens. */
function failureOf(ending: Ending, good: Reply): Reply | null {
  if (ending === 'failed') return serverFault;
  if (ending === 'cut after its head') return { ...good, cut: { after: 'head', by: 'rst' } };
  return ending === 'cut before its first word' ? { ...good, cut: { after: 0, by: 'rst' } } : null;
}

async function arrange(scene: Scene, { course, ending, failing, counts }: Plan): Promise<void> {
  const good = { text: 'one two three', deltas: ['one ', 'two ', 'three'], usage: { ...asNative(counts) } };
  const last = failureOf(ending, good) ?? (ending === 'left' ? { ...good, ...heldStream } : good);
  const isSecond = course === 'retried' || course === 'taken over';
  await scene.script(...(isSecond ? [serverFault, last] : [last]));
  for (const name of failing) await scene.scriptOn(name, serverFault);
}

/** What the caller says of the call; only the core path has such fields. */
function labelsOf({ way }: Plan, { marker }: Scene): Labels {
  return way.name === 'core' ? { user: `user ${marker}`, metadata: { story: marker } } : {};
}

async function call(parts: CheckParts, scene: Scene, plan: Plan, key: string): Promise<Exchange> {
  const { way, course, ending, counts } = plan;
  const label = `${wayLabel(way)}, ${way.model}, ${course}, ${ending}, ${JSON.stringify(counts)}`;
  const body = { ...way.body(scene), ...labelsOf(plan, scene) };
  if (ending === 'refused') return way.send(parts, faultyBody(way, body), { label, key });
  if (ending !== 'left') return way.send(parts, body, { label, key });
  return parts.http.inTurn(key, () => leaveStream(scene, way.open(parts, body, { label, key })));
}
