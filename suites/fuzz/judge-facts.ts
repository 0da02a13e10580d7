import type { Profile } from '../profile/profile.ts';
import type { JudgeFacts } from './verdicts/judge-case.ts';

/** The longest that an answer to a damaged request may take, ms, where the deployment allows itself more. */
const mostMs = 30_000;

/** What a profile tells for the judgement of answers. */
export function factsOf({ media, upstream, timeouts }: Profile): JudgeFacts {
  const natives = Object.values(upstream?.native_models ?? {});
  return {
    guardsLinks: media.guards === true,
    // Shorter names may stand in any text by chance.
    secrets: [...(upstream?.keys ?? []), ...natives.filter((name) => name.length > 6)],
    timeoutMs: Math.min(timeouts.answer_ms, mostMs),
  };
}
