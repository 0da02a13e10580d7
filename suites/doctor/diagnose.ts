import type { CheckFacts } from '../engine/check.ts';
import { chatCatalogue } from '../oracle/chat-catalogue.ts';
import { mediaModels } from '../oracle/media/models.ts';
import { loadCheckCosts } from '../plan/check-costs.ts';
import { declaredUrl } from '../profile/declared-url.ts';
import type { Profile } from '../profile/profile.ts';
import { type Preflight, preflight } from '../runner/preflight.ts';
import { createWireClient } from '../wire/client.ts';
import { type Evidence, evidenceOf } from './gains.ts';
import { type KeyProbe, probeKeys } from './probe-keys.ts';
import { ownModel } from './profile-text.ts';

/** The result of a first, free probe of a deployment. */
export interface Diagnosis {
  readonly baseUrl: string;
  readonly latencyMs: number;
  /** How far its clock is ahead of ours by its `Date` headers, ms. */
  readonly clockSkewMs: number;
  readonly models: readonly string[];
  readonly mediaModels: readonly string[];
  /** Models of the specification that are not enabled for K1. None for a profile with models of its own, which replace them. */
  readonly lackingModels: readonly string[];
  readonly keys: readonly KeyProbe[];
  /** Declared facts that do not work, each with the reason. */
  readonly lost: readonly string[];
  /** Models of the dialect that no check uses, each with the reason. */
  readonly leftOut: readonly string[];
  readonly evidence: Evidence;
}

/**
 * Probes a deployment: its availability, clock, models, declared keys and hooks, and the checks that could run.
 * @throws UnreachableError, UsageError like a run before its first check
 */
export async function diagnose(profile: Profile, checks: readonly CheckFacts[]): Promise<Diagnosis> {
  const found: Preflight = await preflight(profile, { pays: false });
  const client = createWireClient(profile);
  try {
    const keys = await probeKeys(profile, client);
    const enabled = new Set([...found.models, ...found.mediaModels]);
    return {
      baseUrl: declaredUrl(profile),
      latencyMs: found.latencyMs,
      clockSkewMs: found.clockSkewMs,
      models: found.models,
      mediaModels: found.mediaModels,
      lackingModels:
        ownModel(profile.dialect) !== null
          ? []
          : [...chatCatalogue, ...mediaModels].map(({ id }) => id).filter((id) => !enabled.has(id)),
      keys,
      lost: found.lost,
      leftOut: profile.leftOut ?? [],
      evidence: evidenceOf(checks, loadCheckCosts(), { profile: found.profile, enabled }),
    };
  } finally {
    await client.close();
  }
}

/** Whether the profile names something that is not there, or the deployment breaks a rule, as a run would show. */
export function soundness({ keys, lost }: Diagnosis): 'sound' | 'broken' | 'mistaken' {
  const wrong = keys.filter(({ fault }) => fault !== null);
  if (lost.length > 0 || wrong.some(({ rule }) => rule === null)) return 'mistaken';
  return wrong.length > 0 ? 'broken' : 'sound';
}
