import type { Body } from '../../../suites/rewrite/json.ts';
import type { Mutation, ProxyAnswer, ProxyRequest } from '../../../suites/rewrite/mutation.ts';
import { refusal } from '../../../suites/rewrite/refusal-edits.ts';
import { errorIn, eventsA, frontA, messageFor, miscalledA } from '../../edits/compat-a-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { source } from '../../edits/mutant.ts';

/** Gateways that report upstream failures wrongly on compat path A. */

const error = 'COMPA-011';

/** Changes the event by which a stream fails. */
function failing(edit: (event: Body) => readonly Body[]): Mutation {
  return eventsA((event) => (event.type === 'error' ? edit(event) : [event]));
}

const ending: readonly Body[] = [
  { type: 'content_block_stop', index: 0 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 1 },
  },
  { type: 'message_stop' },
];

const failures: readonly Mutant[] = [
  frontA(
    ['compa.failure-ends-well', 'a stream that fails ends as if all were well', error, 'no-false-ending'],
    failing(() => ending),
  ),
  frontA(
    ['compa.failure-silent', 'a stream that fails just ends', error, 'visible'],
    failing(() => []),
  ),
  frontA(
    ['compa.failure-native', 'a stream fails with a native error alone', error, 'error-event-shape'],
    failing(() => [{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }]),
  ),
  frontA(
    ['compa.failure-goes-on', 'a stream continues after its error', error, 'nothing-after-error'],
    failing((event) => [event, { type: 'message_stop' }]),
  ),
  frontA(
    ['compa.failure-blames-caller', 'a stream that fails blames the caller', error, 'stream-error-type'],
    failing((event) => {
      Object.assign(errorIn(event), { type: 'invalid_request_error', code: 'invalid_param' });
      return [event];
    }),
  ),
  frontA(
    ['compa.upstream-500', 'failures of the upstream are our own', error, 'failure-normalised'],
    miscalledA('upstream_error', 'internal_error'),
  ),
  frontA(
    [
      'compa.policy-is-ours',
      'what the policy of an upstream blocks is a failure of the upstream',
      error,
      'policy-told',
    ],
    policyAs(502),
  ),
  source(
    ['compa.upstream-text', 'the message repeats what the upstream said', 'COMPA-020', 'no-upstream-text'],
    'upstreams/call-chat.ts',
    "  if (gone.aborted) return { kind: 'client_left' };\n  const { status, headers } = reply;",
    "  const { status, headers } = reply;\n  if (status > 500) throw new (await import('../errors/gateway-error.ts')).GatewayError('upstream_error', { message: 'The upstream failed: ' + JSON.stringify(value ?? '') });",
  ),
];

/** Reports a policy block as a failure, or as a normal answer. */
function policyAs(status: 200 | 502): Mutation {
  const inPlace = (request: ProxyRequest): ProxyAnswer =>
    status === 200 ? messageFor(request) : refusal('upstream_error');
  const isRefusal = ({ stop_reason: reason }: Body): boolean => reason === 'refusal';
  return {
    answer: (answer, request) => {
      const text = answer.body.toString('utf8');
      const blocked = text.includes('"content_filter"') || text.includes('"stop_reason":"refusal"');
      return blocked ? inPlace(request) : answer;
    },
    ...eventsA((event) => {
      if (isRefusal((event.delta ?? {}) as Body)) (event.delta as Body).stop_reason = 'end_turn';
      return [event];
    }),
  };
}

export const compaFailureMutants: readonly Mutant[] = failures;
