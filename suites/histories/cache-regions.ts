import { type Check, defineCheck } from '../engine/check.ts';
import type { Fact } from '../engine/facts.ts';
import { inLockstep } from '../engine/lockstep.ts';
import type { CheckParts } from '../engine/parts/check-parts.ts';
import { chatModel } from '../oracle/chat-catalogue.ts';
import { Untestable } from '../rules/violation.ts';
import { onePerFamily } from '../steps/chat/upstream-view.ts';
import { type CallForm, formsOf } from '../steps/money/call-forms.ts';
import { cacheModels } from '../steps/money/hinted.ts';
import { type MarkedUp, payersOf } from '../steps/money/payers.ts';
import { declaredPricing, learntPricing } from '../steps/money/pricing.ts';
import { coreProtocol } from '../steps/protocols/protocol.ts';
import { chatWay } from '../steps/ways/way-in.ts';
import { isSuccess } from '../wire/exchange.ts';
import { type CacheHistory, type CacheKind, cacheHistories } from './cache-history.ts';
import { fullTimes } from './play-all.ts';
import { type CacheStage, hintedBody, playCache } from './play-cache.ts';

/** A region of the cache histories: the steps that are most frequent, and what the profile declares. */
export interface CacheRegion {
  readonly id: string;
  readonly title: string;
  readonly requirements: readonly [string, ...string[]];
  readonly needs: readonly Fact[];
  readonly kind: CacheKind;
  readonly quick: number;
  /** Whether charges are judged by declared prices, by learnt prices without a cache, or not at all. */
  readonly prices: 'declared' | 'learnt' | 'none';
  /** The models with scripted counts; default: those with a cache. */
  readonly models?: 'others';
  /** Histories that every run tries. */
  readonly examples?: readonly CacheHistory[];
}

/** Makes the check of a region. */
export function cacheRegion({
  id,
  title,
  requirements,
  needs,
  kind,
  quick,
  prices,
  models,
  examples,
}: CacheRegion): Check {
  const isMoving = kind.pass > 0;
  return defineCheck({
    ...{ id, title, requirements, needs, kind: isMoving ? 'timing' : 'property' },
    ...(isMoving ? { clock: 'jump' as const } : {}),
    run: async (parts) => {
      const stage = await setStage(parts, { prices, requirements, kind, needs, models });
      const play = (one: CacheHistory): Promise<void> => playCache(stage, one);
      const tryAll = async (all: readonly CacheHistory[]): Promise<(Error | null)[]> => {
        const results = isMoving
          ? await inLockstep(
              parts.clock,
              all.map(
                (one) => (time) =>
                  playCache({ ...stage, parts: { ...parts, clock: parts.clock.within(time) } }, one),
              ),
            )
          : await Promise.allSettled(all.map(play));
        return results.map((result) => (result.status === 'fulfilled' ? null : asError(result.reason)));
      };
      await parts.cases.forAllTogether(cacheHistories(kind), tryAll, {
        ...{ quick, full: fullTimes * quick, smoke: 1, shrinkMs: 15_000 },
        ...(examples === undefined ? {} : { examples }),
      });
    },
  });
}

async function setStage(
  parts: CheckParts,
  {
    prices,
    requirements: [requirement],
    kind,
    needs,
    models: only,
  }: Pick<CacheRegion, 'prices' | 'requirements' | 'kind' | 'needs'> & { models: 'others' | undefined },
): Promise<CacheStage> {
  const { target } = parts;
  const keeping = kind.own > 0 ? parts.rng.shuffle(cacheModels(target)) : [];
  const priced = target.models.filter((model) => target.profile.pricing.models?.[model] !== undefined);
  const learnt = only === 'others' ? otherModels(parts) : cacheModels(target);
  const counted = { declared: priced, learnt, none: target.models };
  const counting = kind.counted > 0 ? parts.rng.shuffle(counted[prices]) : [];
  const forms = new Map<string, readonly CallForm[]>();
  const plain = [false, true].map((stream): CallForm => ({ protocol: coreProtocol, stream }));
  // When nothing is known about the deployment, only its core path is used.
  const models = new Set([...keeping, ...counting]);
  for (const model of models) forms.set(model, needs.length === 0 ? plain : await formsOf(parts, model));
  const own: MarkedUp = { key: parts.keys.K1, markupOf: () => 'K1', isHalf: false };
  return {
    ...{ parts, keeping, counting, forms, requirement, hinting: await hintingOf(parts, counting) },
    payers: prices === 'declared' ? await payersOf(parts) : [own],
    pricing: await {
      declared: () => declaredPricing(parts),
      learnt: () => learntPricing(parts, models, own, requirement),
      none: () => null,
    }[prices](),
  };
}

/** The models that accept a cache hint; a model without caching may refuse it (reading B-29). */
async function hintingOf(parts: CheckParts, models: readonly string[]): Promise<ReadonlySet<string>> {
  const taking = new Set<string>();
  for (const model of models) {
    const way = chatWay(coreProtocol, model, false);
    const asked = await way.send(parts, hintedBody(way, parts.newScene()), { label: `${model}, a hint` });
    if (isSuccess(asked)) taking.add(model);
  }
  return taking;
}

/** Models that ignore cache hints: one of each family, because learning a model's price costs some calls. */
function otherModels({ target, cases }: CheckParts): readonly string[] {
  const all = target.models.filter((id) => chatModel(id)?.family !== 'beta');
  if (all.length === 0) throw new Untestable('models.enabled with a model that is not beta-*');
  return cases.full ? all : onePerFamily(target, all);
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
