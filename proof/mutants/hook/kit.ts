import { type Body, objectIn } from '../../../suites/rewrite/json.ts';
import { jsonAnswer, type ProxyAnswer, type ProxyRequest } from '../../../suites/rewrite/mutation.ts';
import { headerOf } from '../../../suites/rewrite/proxy-headers.ts';
import { codeOf, refusal } from '../../../suites/rewrite/refusal-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { type Claim, front } from '../../edits/mutant.ts';

/** Deployments whose receiver kit accepts what it should refuse, or the reverse. */

const kit = (
  claim: Claim,
  change: (answer: ProxyAnswer, request: ProxyRequest) => ProxyAnswer | null,
): Mutant => front(claim, { kit: (answer, request) => change(answer, request) ?? answer });

const received = jsonAnswer(200, { received: true, duplicate: false });
const isReplay = (answer: ProxyAnswer): boolean => codeOf(answer) === 'webhook_replay';

/** The age of an event by the kit's own clock, seconds. */
const ageOf = (request: ProxyRequest, answer: ProxyAnswer, name = 'webhook-timestamp'): number =>
  Math.floor(Date.parse(headerOf(answer.headers, 'date')) / 1_000) - Number(headerOf(request.headers, name));

const edit = (answer: ProxyAnswer, change: (error: Body) => void, status = answer.status): ProxyAnswer => {
  const body = objectIn(answer.body) ?? {};
  change((body.error ?? {}) as Body);
  return { ...answer, status, body: Buffer.from(JSON.stringify(body)) };
};

export const hookKitMutants: readonly Mutant[] = [
  kit(
    [
      'hook.kit-takes-altered',
      'the kit accepts events whose body was damaged',
      'HOOK-011',
      'altered-refused',
    ],
    (answer, request) => (answer.status === 401 && objectIn(request.body) === null ? received : null),
  ),
  kit(
    ['hook.kit-takes-stale', 'the kit takes events of any age', 'HOOK-011', 'stale-refused'],
    (answer, request) => (isReplay(answer) && ageOf(request, answer) > 0 ? received : null),
  ),
  kit(
    ['hook.kit-takes-future', 'the kit takes events of any future', 'HOOK-011', 'future-refused'],
    (answer, request) => (isReplay(answer) && ageOf(request, answer) < 0 ? received : null),
  ),
  kit(
    [
      'hook.kit-refuses-recent',
      'the kit takes an event of two minutes ago for a replay',
      'HOOK-011',
      'recent-accepted',
    ],
    (answer, request) =>
      answer.status === 200 && ageOf(request, answer) > 100 ? refusal('webhook_replay') : null,
  ),
  kit(
    ['hook.kit-takes-unsigned', 'the kit takes events without a signature', 'HOOK-011', 'unsigned-refused'],
    (answer, request) =>
      answer.status === 401 && headerOf(request.headers, 'webhook-signature') === '' ? received : null,
  ),
  kit(
    ['hook.kit-parses-loosely', 'the kit takes a time that is no number', 'HOOK-011', 'no-number-refused'],
    (_answer, request) => (/^\d+$/.test(headerOf(request.headers, 'webhook-timestamp')) ? null : received),
  ),
  kit(
    [
      'hook.kit-trusts-unsigned-time',
      'the kit takes an old event whose unsigned time is new',
      'HOOK-011',
      'unsigned-time-ignored',
    ],
    (answer, request) =>
      isReplay(answer) && Math.abs(ageOf(request, answer, 'x-service-timestamp')) <= 300 ? received : null,
  ),
  kit(['hook.kit-forgets', 'the kit takes each event for a new one', 'HOOK-011', 'once'], (answer) =>
    answer.status === 200 ? received : null,
  ),
  kit(
    ['hook.kit-bound-high', 'the kit takes events of 301 seconds', 'LIM-021', 'bound'],
    (answer, request) => (isReplay(answer) && Math.abs(ageOf(request, answer)) <= 310 ? received : null),
  ),
  kit(['hook.kit-replay-401', 'the kit answers a replay with 401', 'ERR-033', 'replay-error'], (answer) =>
    isReplay(answer) ? edit(answer, () => undefined, 401) : null,
  ),
];
