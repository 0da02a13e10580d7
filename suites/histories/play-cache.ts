import type { CheckParts } from '../engine/parts/check-parts.ts';
import type { Scene } from '../engine/scene.ts';
import type { UpstreamRequest } from '../engine/upstream-request.ts';
import { asNative } from '../generators/usage-counts.ts';
import { readAttempt } from '../oracle/exchange/judge-upstream.ts';
import { countsWithin } from '../oracle/exchange/said-counts.ts';
import type { Pico } from '../oracle/money.ts';
import { dialectOf } from '../oracle/native/dialects.ts';
import type { UsageCounts } from '../oracle/price.ts';
import { textBlock } from '../oracle/sample-images.ts';
import { CacheBook, type HintedBlock, type Life } from '../oracle/world/cache-book.ts';
import { must } from '../rules/violation.ts';
import { leaveAtFirstWord, promptOfWords } from '../steps/chat/leave-stream.ts';
import type { CallForm } from '../steps/money/call-forms.ts';
import { hinted } from '../steps/money/hinted.ts';
import type { MarkedUp } from '../steps/money/payers.ts';
import { charged } from '../steps/money/priced-call.ts';
import type { Pricing } from '../steps/money/pricing.ts';
import { coreProtocol } from '../steps/protocols/protocol.ts';
import { type ChatWay, chatWay } from '../steps/ways/way-in.ts';
import { type Exchange, isSuccess, outcomeOf } from '../wire/exchange.ts';
import type { CacheHistory, CacheStep, CacheTurn, Counted } from './cache-history.ts';
import { chargeRule, judgeCharge, judgeKept, judgeRead, judgeReported } from './judge-cache.ts';

/** The context in which cache histories are played. */
export interface CacheStage {
  readonly parts: CheckParts;
  /** Models that keep prompts, and all whose counts can be scripted. */
  readonly keeping: readonly string[];
  readonly counting: readonly string[];
  /** Models that accept a prompt with a cache hint. */
  readonly hinting: ReadonlySet<string>;
  readonly forms: ReadonlyMap<string, readonly CallForm[]>;
  readonly payers: readonly MarkedUp[];
  /** The expected cost of calls; null when costs are not judged. */
  readonly pricing: Pricing | null;
  /** The rule of the calls that find out which upstreams count by themselves. */
  readonly requirement: string;
}

/** A conversation about a long text. All of its calls have one marker, so that they begin alike. */
interface Thread {
  readonly model: string;
  readonly scene: Scene;
  readonly blocks: readonly (HintedBlock & { readonly text: string })[];
  readonly book: CacheBook;
  sent: number;
}

const minuteMs = 60_000;
const waitsMs = { within: 4 * minuteMs, '5m': 5 * minuteMs, '1h': 60 * minuteMs };

/** How much longer than a lifetime a wait lasts, ms. */
const overMs = 5_000;

/** Words of a prompt that is long enough for every known cache. */
const words = 5_000;

/** How long after its caller has left a charge may be posted, ms. */
const timeoutMs = 5_000;

/**
 * Plays a history.
 * @throws Violation
 */
export async function playCache(stage: CacheStage, { threads, steps }: CacheHistory): Promise<void> {
  const { parts } = stage;
  const all = threads.map((lives, place) => threadOf(stage, lives, place));
  // Scenes get their numbers before anything is sent, so that a replay does not depend on timing.
  const scenes = steps.map(() => parts.newScene());
  for (const [place, step] of steps.entries()) {
    parts.cases.signal.throwIfAborted();
    await playStep(stage, all, step, scenes[place] ?? parts.newScene());
  }
}

function threadOf({ parts, keeping }: CacheStage, lives: readonly Life[], place: number): Thread {
  const scene = parts.newScene();
  let prefix = '';
  const blocks = lives.map((life, part) => {
    const text = `${scene.prompt(`Part ${part} of a long poem.`)} ${promptOfWords(parts.rng, words)}`;
    prefix += text;
    return { prefix, life, text };
  });
  return { model: keeping[place % keeping.length] ?? '', scene, blocks, book: new CacheBook(), sent: 1 };
}

async function playStep(
  stage: CacheStage,
  threads: readonly Thread[],
  step: CacheStep,
  scene: Scene,
): Promise<void> {
  if (step.do === 'pass')
    return stage.parts.clock.jump(waitsMs[step.what] + (step.what === 'within' ? 0 : overMs));
  stage.parts.cases.count();
  if (step.counted !== null) return playCounted(stage, step, step.counted, scene);
  const thread = threads[step.thread % threads.length];
  if (thread !== undefined) await playOwn(stage, thread, step);
}

/** A call whose upstream counts by itself. */
async function playOwn(stage: CacheStage, thread: Thread, turn: CacheTurn): Promise<void> {
  const { parts, pricing } = stage;
  const { model, scene, book } = thread;
  if (turn.grows) thread.sent = Math.min(thread.blocks.length, thread.sent + 1);
  const blocks = thread.blocks.slice(0, thread.sent);
  const content = [
    ...blocks.map(({ text, life }) => hinted(textBlock(text), life === '5m' ? null : life)),
    textBlock('What is it about?'),
  ];
  const way = wayOf(stage, model, turn);
  const label = `${model} on ${way.name}, a prompt with slots of ${blocks.map(({ life }) => life).join(' and ')}`;
  const body = { model, max_tokens: 16, messages: [{ role: 'user', content }] };
  const payer = payerOf(stage, turn);
  const from = parts.clock.now();
  const send = (): Promise<Exchange> => way.send(parts, body, { label, key: payer.key });
  const { exchange, charge } =
    pricing === null
      ? { exchange: await send(), charge: null }
      : await charged(parts.meter, send, { key: payer.key });
  const foretold = book.took(blocks, { from, to: parts.clock.now() });
  way.judgeServed(parts, exchange, { requirement: stage.requirement, aspect: 'accepted' });
  if (foretold !== null) judgeRead(foretold, exchange);
  if (pricing === null || charge === null) return;
  const [request] = (await scene.requestsNow()).slice(-1);
  const counts = request === undefined ? null : countsOf(model, request);
  if (counts === null) return;
  if (foretold !== null) judgeKept(foretold, counts.most, exchange);
  const due = await pricing(model, counts.most, payer);
  const aspect = counts.most.cached_tokens > 0 ? 'later-are-hits' : 'first-is-a-write';
  judgeCharge({ requirement: 'CACHE-004', aspect }, { exchange, charge, due, counts: counts.most });
}

/** Makes a call with scripted counts, whose caller may leave. */
async function playCounted(
  stage: CacheStage,
  turn: CacheTurn,
  counted: Counted,
  scene: Scene,
): Promise<void> {
  const { parts, counting, pricing } = stage;
  const model = counting[turn.thread % counting.length] ?? '';
  const way = wayOf(stage, model, turn);
  const isLeft = counted.leaves && way.stream;
  const isHinted =
    counted.isHinted && !isLeft && way.protocol.name !== 'compat-b' && stage.hinting.has(model);
  const usage = asNative(asCountedBy(model, counted));
  const gates = isLeft ? { gates: [1] } : {};
  await scene.script({ deltas: ['one ', 'two ', 'three'], usage: { ...usage }, ...gates });
  const payer = payerOf(stage, turn);
  const label = `${model} on ${way.name}${way.stream ? ', stream' : ''}, ${JSON.stringify(usage)}`;
  const options = { label, key: payer.key };
  const send = (): Promise<Exchange> =>
    isLeft
      ? parts.http.inTurn(payer.key, () => leave(parts, way, scene, options))
      : way.send(parts, isHinted ? hintedBody(way, scene) : way.body(scene), options);
  const laterMs = isLeft ? { laterMs: timeoutMs } : {};
  const { exchange, charge } =
    pricing === null
      ? { exchange: await send(), charge: 0n }
      : await charged(parts.meter, send, { key: payer.key, ...laterMs });
  const [request] = await scene.requestsNow();
  const counts = request === undefined ? null : countsOf(model, request);
  must(isLeft || isSuccess(exchange), {
    ...{ requirement: 'BILL-002', aspect: 'accepted', exchange },
    expected: 'a good answer',
    actual: outcomeOf(exchange),
  });
  if (counts === null) return;
  if (pricing === null) return isLeft ? undefined : judgeReported(exchange, counts);
  // Of a stream that was left, a deployment may count a prompt itself for which the beginning had no count but 0.
  if (isLeft && counts.most.prompt_tokens === 0) return;
  const [least, most] = await Promise.all([
    pricing(model, counts.least, payer),
    pricing(model, counts.most, payer),
  ]);
  const all = [least.least, most.least, least.most, most.most];
  // The deployment decides whether a caller who leaves pays, and for what (reading B-36). But nobody pays more than for the
  // whole answer.
  const due = { least: isLeft ? 0n : minOf(all), most: maxOf(all) };
  const rule = isLeft ? leftRule : chargeRule(model, counts.most, isHinted);
  judgeCharge(rule, { exchange, charge, due, counts: counts.most });
  if (!isLeft) judgeReported(exchange, counts);
}

/** A prompt with a one-hour cache hint. */
export function hintedBody(way: ChatWay, scene: Scene): Record<string, unknown> {
  const messages = [{ role: 'user', content: [hinted(textBlock(scene.prompt()), '1h')] }];
  return { ...way.body(scene), messages };
}

const leftRule = { requirement: 'BILL-001', aspect: 'left-pays-no-more' };

/** Opens a stream, and disconnects after its first word. */
async function leave(
  parts: CheckParts,
  way: ChatWay,
  scene: Scene,
  options: { readonly label: string; readonly key: string },
): Promise<Exchange> {
  const exchange = await leaveAtFirstWord(way.open(parts, way.body(scene), options));
  if (!isSuccess(exchange)) return exchange;
  // A deployment may read on to learn the final count.
  await scene.release();
  await scene.ended(1);
  return exchange;
}

/** The counts that an upstream of the model can report. */
function asCountedBy(
  model: string,
  { leaves: _leaves, isHinted: _hinted, beyond, ...counts }: Counted,
): UsageCounts {
  if (dialectOf(model) === 'messages') return counts;
  const cached_tokens = beyond > 0 ? counts.prompt_tokens + beyond : counts.cached_tokens;
  return { ...counts, cached_tokens, cache_write_5m_tokens: 0, cache_write_1h_tokens: 0 };
}

/** The counts in the upstream's last answer; null if unknown. */
function countsOf(
  model: string,
  { entry: { request, reply } }: UpstreamRequest,
): { readonly least: UsageCounts; readonly most: UsageCounts } | null {
  const read = readAttempt(dialectOf(model), {
    path: request.path,
    body: Buffer.from(request.body_base64, 'base64'),
    answer: Buffer.from(reply.body_base64, 'base64'),
    ended: reply.ended,
  });
  return read === null ? null : countsWithin(dialectOf(model), read.said.counts);
}

function wayOf({ forms }: CacheStage, model: string, { isCompat, stream }: CacheTurn): ChatWay {
  const all = forms.get(model) ?? [];
  const own = all.filter(({ protocol }) => (protocol !== coreProtocol) === isCompat);
  const [form] = [...own.filter((one) => one.stream === stream), ...own, ...all];
  return chatWay(form?.protocol ?? coreProtocol, model, form?.stream ?? stream);
}

function payerOf({ payers }: CacheStage, { payer }: CacheTurn): MarkedUp {
  const found = payers[payer % payers.length];
  if (found === undefined) throw new Error('a history without a key');
  return found;
}

function minOf(all: readonly Pico[]): Pico {
  return all.reduce((least, one) => (one < least ? one : least));
}

function maxOf(all: readonly Pico[]): Pico {
  return all.reduce((most, one) => (one > most ? one : most));
}
