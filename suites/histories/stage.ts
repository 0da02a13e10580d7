import { breakerRulesOf } from '../engine/breaker-rules.ts';
import { mediaPricing } from '../engine/declared-price.ts';
import type { LockstepTime } from '../engine/lockstep.ts';
import type { CheckParts } from '../engine/parts/check-parts.ts';
import type { TestAccount } from '../engine/test-accounts.ts';
import { dollarText } from '../oracle/money.ts';
import { factsOf } from '../oracle/world/behaviours.ts';
import { World } from '../oracle/world/world.ts';
import { Untestable } from '../rules/violation.ts';
import { compatA, compatB, coreProtocol, type Protocol } from '../steps/protocols/protocol.ts';
import { mediaIdsOf } from '../steps/routes/call-route.ts';
import { type ChatWay, chatWay, imagesWay, tasksWay, type WayIn } from '../steps/ways/way-in.ts';
import { createRng } from '../values/seed.ts';
import type { Cells } from './cells.ts';
import type { CallPlan, HistoryKey, HistoryWay } from './history.ts';

/** The chat protocols of a deployment, each with the forms that it supports: plain, streamed or both. */
export type Forms = ReadonlyMap<Protocol['name'], readonly boolean[]>;

/** The context in which a history is played. */
export interface Stage {
  readonly draw: number;
  readonly parts: CheckParts;
  readonly time: LockstepTime;
  readonly world: World;
  readonly main: TestAccount;
  readonly secrets: Readonly<Record<HistoryKey, string>>;
  /** The key of an account whose credit is the price of one image; null where no price is declared. */
  readonly purse: string | null;
  /** That price, in dollars. */
  readonly pursePrice: string | null;
  /** The models that the history calls, by endpoint. */
  readonly models: Readonly<Partial<Record<HistoryWay, string>>>;
  readonly compat: Protocol | null;
  readonly forms: Forms;
  readonly cells: Cells;
  /** When the last caller left, ms of real time. */
  leftAtMs: number;
  /** When the last caller left whose upstream never answers, by the deployment's clock, ms; null if none did. */
  desertedAtMs: number | null;
}

/** Markups of the main account, so that each call of a history has a known price, basis points. */
const markups = [2_500, 0, -1_250] as const;

/** The monthly tokens of the main account while it is not spent: more than any history uses, or without a limit. */
export function quotaOf(draw: number): number | null {
  return draw % 2 === 0 ? 1_000_000_000 : null;
}

/** The names of users in the world. */
export const mainUser = 'main';
const otherUser = 'other';

/** The cap of the other user: enough calls to open a breaker at once. */
const raisedCap = 8;

/** The only range that a barred key allows: documentation addresses, from which no call comes. */
export const barredRange = '192.0.2.0/24';

/** Less than any chat may cost here, and more than all of a history do. */
const scarceDollars = '0.004';

/** The tolerance for the deployment's times, ms. */
export const slackMs = 500;

/** Makes the accounts of a history, and draws its models. */
export async function setStage(
  parts: CheckParts,
  time: LockstepTime,
  draw: number,
  { forms, cells }: Pick<Stage, 'forms' | 'cells'>,
): Promise<Stage> {
  const rules = breakerRulesOf(parts.target.profile);
  if (rules === null) throw new Untestable('upstream.breaker');
  const { value: cap } = parts.target.profile.cap;
  const [main, scarce] = await Promise.all([
    parts.accounts.create({
      credits: '1000',
      monthly_tokens: quotaOf(draw),
      apps: [{ markup_bp: markups[draw % markups.length] ?? 0 }],
      users: [{}, { cap: raisedCap }],
      keys: [{ user: 0 }, { user: 0 }, { user: 1 }],
    }),
    parts.accounts.create({ credits: scarceDollars }),
  ]);
  const { models, compat } = drawModels(parts, draw, forms);
  const price = models.images === undefined ? null : pricePerPicture(parts, models.images);
  const purse =
    price === null
      ? null
      : await parts.accounts.create({ credits: price, apps: [{ markup_bp: 0 }], keys: [{ app: 0 }] });
  const pursePrice = price;
  const world = new World(rules, slackMs);
  world.setCap(mainUser, cap);
  world.setCap(otherUser, raisedCap);
  world.setCap('scarce', cap);
  world.setKey('first', { account: 'main', user: mainUser, state: 'live' });
  world.setKey('second', { account: 'main', user: mainUser, state: 'live' });
  world.setKey('other', { account: 'main', user: otherUser, state: 'live' });
  world.setKey('scarce', { account: 'scarce', user: 'scarce', state: 'live' });
  return {
    ...{ draw, parts, time, world, main, models, compat, forms, cells, leftAtMs: Number.NEGATIVE_INFINITY },
    ...{ desertedAtMs: null, pursePrice },
    purse: purse?.key ?? null,
    secrets: { first: main.key, second: main.keyAt(1), other: main.keyAt(2), scarce: scarce.key },
  };
}

/** The price of one image without a markup, in dollars; null when the profile does not declare it. */
function pricePerPicture({ target }: CheckParts, model: string): string | null {
  const due = mediaPricing(target.profile, model, { bp: 0 });
  return due === null ? null : dollarText(due({ images: 1, seconds: 0 }));
}

/** A different model for each endpoint. Media models have only one channel, so that the channel's breaker is the model's. */
function drawModels({ target }: CheckParts, draw: number, forms: Forms): Pick<Stage, 'models' | 'compat'> {
  const rng = createRng(draw, 'models');
  const compat = rng.shuffle([compatA, compatB]).find(({ name }) => forms.has(name)) ?? null;
  const served = compat === null ? [] : target.nativeModels.filter((model) => compat.serves(model));
  const ofCompat = served.length === 0 ? undefined : rng.pick(served);
  const ofCore = target.models.filter((model) => model !== ofCompat);
  const several = (target.profile.upstream?.media_routes ?? []).map(({ model }) => model);
  const media = (endpoint: 'images' | 'tasks'): string | undefined =>
    rng.shuffle(mediaIdsOf(target, endpoint).filter((id) => !several.includes(id)))[0];
  const drawn = {
    core: ofCore.length === 0 ? undefined : rng.pick(ofCore),
    compat: ofCompat,
    images: media('images'),
    tasks: media('tasks'),
    models: 'the list',
    read: 'a task',
  };
  const models = Object.fromEntries(Object.entries(drawn).filter(([, model]) => model !== undefined));
  return { models, compat };
}

/** The plan as this deployment can play it; null where it has no such model. */
export function playable({ models, compat, forms }: Stage, plan: CallPlan): CallPlan | null {
  const { way, behaviour } = plan;
  if (models[way] === undefined) return null;
  switch (way) {
    case 'core':
    case 'compat': {
      const name = way === 'core' ? 'core' : compat?.name;
      const stream = plan.stream && name !== undefined && forms.get(name)?.includes(true) === true;
      return { ...plan, stream, behaviour: ofChat(plan, stream) };
    }
    case 'images':
      return {
        ...plan,
        stream: false,
        behaviour: ofPicture(plan),
      };
    case 'tasks':
      return {
        ...plan,
        stream: false,
        behaviour: ofTask(behaviour),
        key: plan.key === 'scarce' ? 'first' : plan.key,
      };
    case 'models':
    case 'read':
      return { ...plan, stream: false, behaviour: 'good', fault: 'none' };
  }
}

/**
 * Replaces behaviours that a plain call cannot have. While an upstream answers nobody, its call may hold all the credit that a
 * scarce account has.
 */
function ofChat({ behaviour, key }: CallPlan, stream: boolean): CallPlan['behaviour'] {
  if (behaviour === 'breaks' && !stream) return 'reset';
  return behaviour === 'deserts' && key === 'scarce' ? 'left-again' : behaviour;
}

/** Replaces behaviours that images cannot have: they have no context window and no stream. */
function ofPicture({ behaviour, key }: CallPlan): CallPlan['behaviour'] {
  // Its account can pay for only one image, which the end of the history needs.
  if (key === 'scarce' && (behaviour === 'good' || factsOf(behaviour).isLeft === true)) return 'odd-status';
  if (behaviour === 'breaks') return 'server';
  return behaviour === 'too-long' ? 'policy' : behaviour;
}

/**
 * Replaces behaviours that tasks cannot have: the job starts later, so its caller cannot leave meanwhile, and there is no
 * head to lose.
 */
function ofTask(behaviour: CallPlan['behaviour']): CallPlan['behaviour'] {
  if (behaviour === 'good' || factsOf(behaviour).isLeft === true) return 'good';
  if (behaviour === 'odd-status') return 'policy';
  return behaviour === 'policy' || behaviour === 'too-long' ? behaviour : 'server';
}

/** How a call is made; null for reading endpoints, which generate nothing. */
export function wayOf(stage: Stage, { way, stream, fault }: CallPlan): WayIn | null {
  const own = stage.models[way] ?? '';
  const model = fault === 'model' ? unknownLike(own) : own;
  switch (way) {
    case 'core':
      return chatWay(coreProtocol, model, stream);
    case 'compat':
      return compatWay(stage, model, stream);
    case 'images':
    case 'tasks': {
      const of = way === 'images' ? imagesWay : tasksWay;
      return { ...of(model), body: (scene) => ({ ...scene.minimalMedia(own), model }) };
    }
    case 'models':
    case 'read':
      return null;
  }
}

function compatWay({ compat }: Stage, model: string, stream: boolean): ChatWay {
  if (compat === null) throw new Error('a call of a compat path that the deployment lacks');
  return chatWay(compat, model, stream);
}

/** An id of the same family that is not a model. */
function unknownLike(model: string): string {
  return `${model}-0`;
}
