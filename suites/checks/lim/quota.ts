import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { NativeCounts } from '../../generators/native/answer.ts';
import type { Finding } from '../../rules/violation.ts';
import { type ProtocolModel, protocolModelsOf } from '../../steps/protocols/protocol-model.ts';
import { readSaid } from '../../steps/protocols/said.ts';
import { wayLabel } from '../../steps/ways/way-in.ts';
import { mediaWaysOf } from '../../steps/ways/ways-of.ts';
import type { Exchange } from '../../wire/exchange.ts';

type Rule = Pick<Finding, 'requirement' | 'aspect'>;

const left: Rule = { requirement: 'LIM-011', aspect: 'quota-left' };
const renewed: Rule = { requirement: 'LIM-024', aspect: 'new-month' };

/** Counts of one call, and a quota that lasts for so many calls, the last of which crosses it. */
interface Quota {
  readonly counts: NativeCounts;
  readonly quota: number;
  readonly served: number;
}

/** Ten tokens a call: mostly prompt, mostly completion, or mostly read from a cache. */
const quotas: readonly Quota[] = [
  { counts: { prompt_tokens: 7, completion_tokens: 3 }, quota: 30, served: 3 },
  { counts: { prompt_tokens: 2, completion_tokens: 8 }, quota: 21, served: 3 },
  { counts: { prompt_tokens: 7, completion_tokens: 3 }, quota: 19, served: 2 },
  { counts: { prompt_tokens: 9, completion_tokens: 1, cached_tokens: 8 }, quota: 20, served: 2 },
  { counts: { prompt_tokens: 70_000, completion_tokens: 30_000 }, quota: 1, served: 1 },
];

/** How long before and after the end of the month to look, ms. */
const beforeMs = 2_000;
const afterMs = 1_000;
/** Time the month must have left for the check to begin, ms. */
const minLeftMs = 60_000;

export const quotaIsExact = defineCheck({
  id: 'lim.quota.exact',
  title: 'the call that crosses the monthly token quota is served, the next refused (reading B-45)',
  requirements: ['LIM-011'],
  kind: 'upstream',
  needs: ['upstream.control', 'hooks.accounts'],
  run: async (parts) => {
    const { cases, accounts, rng, judge } = parts;
    for (const { counts, quota, served } of quotas) {
      cases.count();
      const { key } = await accounts.create({ monthly_tokens: quota });
      const facings = rng.shuffle(protocolModelsOf(parts));
      for (let one = 0; one < served; one += 1) {
        const protocolModel = facings[one % facings.length] ?? protocolModelsOf(parts)[0];
        await judgeServed(parts, protocolModel, key, counts, left);
      }
      for (const protocolModel of facings) {
        const exchange = await call(parts, protocolModel, key, counts);
        judge.refused(exchange, {
          requirement: 'LIM-011',
          aspect: 'quota-crossed',
          codes: ['quota_exceeded'],
        });
      }
    }
  },
});

export const quotaIsOfTheMonth = defineCheck({
  id: 'lim.quota.month',
  title: 'a spent quota is refused to the last second of the UTC month and renewed in each that follows',
  requirements: ['LIM-024', 'LIM-011'],
  kind: 'timing',
  needs: ['upstream.control', 'hooks.accounts', 'hooks.clock'],
  clock: 'jump',
  run: async (parts) => {
    const { clock, accounts, judge, cases } = parts;
    const counts = { prompt_tokens: 7, completion_tokens: 3 };
    if (monthsEnd(clock.now()) - clock.now() < minLeftMs) await clock.elapse(2 * minLeftMs);
    const { key } = await accounts.create({ monthly_tokens: 15 });
    const facings = protocolModelsOf(parts);
    const [core] = facings;
    await judgeServed(parts, core, key, counts, left);
    await judgeServed(parts, core, key, counts, left);
    const refuse = async (protocolModel: ProtocolModel, rule: Rule): Promise<void> => {
      const exchange = await call(parts, protocolModel, key, counts);
      judge.refused(exchange, { ...rule, codes: ['quota_exceeded'] });
    };
    await refuse(core, { requirement: 'LIM-011', aspect: 'quota-crossed' });
    const end = monthsEnd(clock.now());
    await clock.elapse(end - beforeMs - clock.now());
    for (const protocolModel of facings) {
      cases.count();
      const exchange = await call(parts, protocolModel, key, counts);
      // The month ended during the calls: the deployment is not to blame.
      if (clock.now() < end)
        judge.refused(exchange, {
          requirement: 'LIM-024',
          aspect: 'before-month-end',
          codes: ['quota_exceeded'],
        });
      else judge.note('the month ended before its last call was answered');
    }
    for (const way of mediaWaysOf(parts)) {
      const exchange = await way.send(parts, way.body(parts.newScene()), { label: wayLabel(way), key });
      if (clock.now() < end)
        judge.refused(exchange, {
          requirement: 'LIM-024',
          aspect: 'before-month-end',
          codes: ['quota_exceeded'],
        });
    }
    await clock.elapseTo(end + afterMs);
    cases.count();
    await judgeServed(parts, core, key, counts, renewed);
    await judgeMediaServed(parts, key, 'new-month-for-media');
    await judgeServed(parts, core, key, counts, renewed);
    await refuse(core, { requirement: 'LIM-024', aspect: 'new-month-crossed' });
    // Some deployments plan only the end of the first month.
    await clock.elapseTo(monthsEnd(clock.now()) + afterMs);
    cases.count();
    await judgeServed(parts, core, key, counts, { requirement: 'LIM-024', aspect: 'month-after-month' });
    await judgeMediaServed(parts, key, 'media-month-after-month');
  },
});

/** The first moment of the month after the one of `ms`, in UTC. */
function monthsEnd(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

async function judgeMediaServed(parts: CheckParts, key: string, aspect: string): Promise<void> {
  for (const way of mediaWaysOf(parts)) {
    const exchange = await way.send(parts, way.body(parts.newScene()), { label: wayLabel(way), key });
    way.judgeServed(parts, exchange, { requirement: 'LIM-024', aspect });
  }
}

async function judgeServed(
  parts: CheckParts,
  protocolModel: ProtocolModel,
  key: string,
  counts: NativeCounts,
  rule: Rule,
): Promise<void> {
  const exchange = await call(parts, protocolModel, key, counts);
  readSaid(parts.judge, protocolModel.protocol, exchange, { ...rule, model: protocolModel.model });
  await parts.meter.settle();
}

async function call(
  { newScene, http }: CheckParts,
  { protocol, model }: ProtocolModel,
  key: string,
  counts: NativeCounts,
): Promise<Exchange> {
  const scene = newScene();
  await scene.script({ text: 'Counted.', usage: { ...counts } });
  return protocol.send(http, model, protocol.body(scene, { model }), {
    label: `${protocol.name}, counted`,
    key,
  });
}
