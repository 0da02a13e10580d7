import { defineCheck } from '../../engine/check.ts';
import type { Kit } from '../../engine/kit.ts';
import { bearer } from '../../engine/requests.ts';
import { must } from '../../engine/violation.ts';
import { chatRoute } from '../../oracle/core-routes.ts';
import { callRoute } from '../ep/call-route.ts';

export const refusedKeyHasNoEffect = defineCheck({
  id: 'auth.refused.no-effect',
  title: 'a call that is refused for its key never reaches an upstream, plain or streamed',
  requirements: ['AUTH-017'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (kit) => {
    const scene = kit.scene();
    const body = scene.minimal(kit.anyModel());
    for (const { label, headers } of refusedCallers(kit)) {
      for (const stream of [false, true]) {
        kit.countCase();
        const refusal = await callRoute(kit, chatRoute, { label, headers, body: { ...body, stream } });
        kit.refused(refusal, {
          requirement: 'AUTH-017',
          aspect: 'refused',
          codes: ['invalid_api_key', 'sk_disabled', 'sk_expired', 'ip_not_allowed'],
        });
      }
    }
    // The twin comes last: once it has arrived, whatever was sent before it would have arrived too.
    const twin = await kit.chat(body, { label: 'positive twin' });
    kit.completed(twin, { requirement: 'AUTH-017', aspect: 'twin-served', model: body.model });
    const arrived = await scene.requests(1);
    must(arrived.length === 1, {
      requirement: 'AUTH-017',
      aspect: 'no-upstream-call',
      expected: 'one upstream request: that of the caller with a good key',
      actual: `${arrived.length} upstream requests`,
      twin,
    });
  },
});

/** Callers whose key is refused: those that any client can be, and those of the profile. */
export function refusedCallers(kit: Kit): { label: string; headers: Record<string, string> }[] {
  const { disabled, expired, ip_restricted } = kit.keys;
  const grey = Object.entries({ disabled, expired, ip_restricted });
  return [
    { label: 'no key', headers: {} },
    { label: 'a malformed header', headers: { authorization: kit.keys.K1 } },
    { label: 'an unknown key', headers: bearer(`sk-app-${kit.rng.hex(40)}`) },
    { label: 'a key in the wrong place', headers: { 'x-api-key': kit.keys.K1 } },
    ...grey.flatMap(([name, key]) =>
      key === undefined ? [] : [{ label: `the ${name} key`, headers: bearer(key) }],
    ),
  ];
}
