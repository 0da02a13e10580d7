import type { GatewayError } from '../../errors/gateway-error.ts';
import { type FailureContext, normaliseFailure } from '../../routing/normalise-failure.ts';
import type { UpstreamFailure } from '../../upstreams/outcome.ts';

/** The caller's view of an upstream failure at a request for media; `given` are the fields that it may be at fault by. */
export function normaliseMediaFailure(
  failure: UpstreamFailure,
  place: FailureContext,
  given: ReadonlySet<string>,
): GatewayError {
  return normaliseFailure(failure, place, { given, prompt: 'prompt', native: null });
}

/** The field that makes a request for media as large as it is. */
export function largestOf(fields: Readonly<Record<string, unknown>>): string {
  return large.find((name) => fields[name] !== undefined) ?? 'prompt';
}

const large = ['image', 'text', 'prompt'];
