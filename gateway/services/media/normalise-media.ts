import type { GatewayError } from '../../errors/gateway-error.ts';
import { type FailureContext, normaliseFailure } from '../../routing/normalise-failure.ts';
import type { UpstreamFailure } from '../../upstreams/outcome.ts';

/** The caller's view of an upstream failure of a media request. `given` are the fields that may have caused it. */
export function normaliseMediaFailure(
  failure: UpstreamFailure,
  place: FailureContext,
  given: ReadonlySet<string>,
): GatewayError {
  return normaliseFailure(failure, place, { given, prompt: 'prompt', native: null });
}

/** The field to blame when a media request is too long: the first present one that can be large. */
export function largestOf(fields: Readonly<Record<string, unknown>>): string {
  return large.find((name) => fields[name] !== undefined) ?? 'prompt';
}

const large = ['image', 'text', 'prompt'];
