import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import type { Target } from '../../../engine/parts/target.ts';
import type { JsonObject } from '../../../engine/requests.ts';
import type { Scene } from '../../../engine/scene.ts';
import type { JobDialect, JobFaultFacts } from '../../../oracle/faults/job-fault-facts.ts';
import { mediaModels } from '../../../oracle/media/models.ts';
import { Untestable } from '../../../rules/violation.ts';
import { defaultSeconds } from '../../../steps/media/task-models.ts';

/** The requested length where the fault concerns it, seconds. */
export const askedSeconds: Readonly<Record<JobDialect, number>> = { jobs: 10, 'callback-jobs': 30 };

/** Models that show the fault better than others. */
const modelsOf: Readonly<Record<string, Readonly<Record<JobDialect, readonly string[]>>>> = {
  // Four images are the clearest result that can be incomplete.
  J14: { jobs: [], 'callback-jobs': ['journey-v7'] },
  J15: {
    jobs: ['vidB2', 'vidC-v21-master-t2v', 'vidC-v25-t2v-pro', 'vidD-02', 'delta-imagine-t2v'],
    'callback-jobs': ['voice-music'],
  },
  J18: {
    jobs: ['motion-gen3-alpha-turbo', 'vidC-v21-master-i2v', 'vidC-v25-i2v-pro', 'delta-imagine-i2v'],
    'callback-jobs': ['journey-v7'],
  },
};

/** Hands out the models of a dialect evenly, in an order drawn by seed, because failures count against a model. */
export class JobModels {
  readonly #parts: CheckParts;
  readonly #facts: JobFaultFacts;
  readonly #left = new Map<JobDialect, string[]>();

  constructor(parts: CheckParts, facts: JobFaultFacts) {
    this.#parts = parts;
    this.#facts = facts;
  }

  /** Null when the deployment has none. */
  next(dialect: JobDialect): string | null {
    const left = this.#left.get(dialect) ?? [];
    if (left.length === 0) left.push(...this.#parts.rng.shuffle(this.#all(dialect)));
    this.#left.set(dialect, left);
    return left.shift() ?? null;
  }

  #all(dialect: JobDialect): string[] {
    const wanted = modelsOf[this.#facts.id]?.[dialect];
    return modelsIn(this.#parts.target, dialect).filter((id) => wanted === undefined || wanted.includes(id));
  }
}

/** Enabled task models whose upstreams speak the dialect. */
export function modelsIn(target: Target, dialect: JobDialect): string[] {
  const ids = mediaModels
    .filter(({ endpoint }) => endpoint === 'tasks')
    // One model is listed with audio and still makes videos.
    .filter(({ id, medium }) => (medium === 'video' || id === 'motion-act-two') === (dialect === 'jobs'))
    .map(({ id }) => id);
  return ids.filter((id) => target.mediaModels.includes(id));
}

/** The body of the task that meets the fault. */
export function bodyFor({ id }: Pick<JobFaultFacts, 'id'>, model: string, scene: Scene): JsonObject {
  const body = scene.minimalMedia(model);
  if (id !== 'J15') return body;
  return { ...body, duration: askedSeconds[model === 'voice-music' ? 'callback-jobs' : 'jobs'] };
}

/** The length that the upstream was scripted to make, if any; otherwise the model's default. */
export function secondsMade(
  { id }: Pick<JobFaultFacts, 'id'>,
  form: string | null,
  model: string,
): number | null {
  if (id !== 'J15') return defaultSeconds(model);
  const asked = askedSeconds[model === 'voice-music' ? 'callback-jobs' : 'jobs'];
  return form === 'longer' ? asked * 2 : asked / 2;
}

/** @throws Untestable when the deployment has no model of any of the dialects. */
export function mustHaveModels(target: Target, dialects: readonly JobDialect[]): void {
  if (dialects.every((dialect) => modelsIn(target, dialect).length === 0))
    throw new Untestable(`a task model whose upstream speaks ${dialects.join(' or ')}`);
}
