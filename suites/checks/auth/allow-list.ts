import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { modelsRoute } from '../../oracle/core-routes.ts';
import { callRoute, judgeServed, servedTwin } from '../../steps/routes/call-route.ts';

export const allowListIsCidr = defineCheck({
  id: 'auth.ip.ranges',
  title: 'the first and last address of an allowed range are let in; the ones just outside are not',
  requirements: ['AUTH-011', 'AUTH-010'],
  kind: 'example',
  needs: ['keys.ip_allowed', 'keys.ip_first', 'keys.ip_last', 'keys.ip_before', 'keys.ip_after'],
  run: async (parts) => {
    const { cases, accounts, keys, judge } = parts;
    for (const name of ['ip_allowed', 'ip_first', 'ip_last'] as const) {
      cases.count();
      await servedTwin(parts, modelsRoute, accounts.key(name), {
        requirement: 'AUTH-011',
        aspect: `inside-${aspectOf(name)}`,
      });
    }
    const twin = await servedTwin(parts, modelsRoute, keys.K1, {
      requirement: 'AUTH-011',
      aspect: 'twin-served',
    });
    for (const name of ['ip_before', 'ip_after'] as const) {
      cases.count();
      const headers = { authorization: `Bearer ${accounts.key(name)}` };
      const refusal = await callRoute(parts, modelsRoute, { label: `the ${name} key`, headers });
      const rule = { requirement: 'AUTH-011', aspect: `outside-${aspectOf(name)}` };
      judge.refused(refusal, { ...rule, codes: ['ip_not_allowed'], twin });
    }
  },
});

export const forwardingHeadersAreNotTrusted = defineCheck({
  id: 'auth.ip.forwarded',
  title: "a client's forwarding header neither opens nor closes a key that has an allow-list",
  requirements: ['AUTH-013'],
  kind: 'metamorphic',
  needs: ['keys.ip_restricted', 'keys.ip_allowed'],
  run: async (parts) => {
    // Addresses of the documentation nets, of the machine itself, and of private nets.
    for (const address of ['203.0.113.7', '2001:db8::7', '127.0.0.1', '10.0.0.1']) {
      await judgeSpoof(parts, 'ip_restricted', address);
    }
    await judgeSpoof(parts, 'ip_allowed', '198.51.100.7');
  },
});

function aspectOf(name: string): string {
  return name.replace('ip_', '');
}

/** Headers in which a proxy names the client. A client can send them too. */
function forwarded(address: string): Readonly<Record<string, string>> {
  const bracketed = address.includes(':') ? `"[${address}]"` : address;
  return {
    'x-forwarded-for': address,
    forwarded: `for=${bracketed};proto=https`,
    'x-real-ip': address,
    'x-client-ip': address,
    'x-cluster-client-ip': address,
    'true-client-ip': address,
    'cf-connecting-ip': address,
    'x-original-forwarded-for': address,
  };
}

async function judgeSpoof(
  parts: CheckParts,
  name: 'ip_restricted' | 'ip_allowed',
  address: string,
): Promise<void> {
  const { cases, accounts, judge } = parts;
  const all = forwarded(address);
  const alone = Object.entries(all).map(([header, value]) => ({ [header]: value }));
  const requirement = 'AUTH-013';
  for (const set of [all, ...alone]) {
    cases.count();
    const headers = { authorization: `Bearer ${accounts.key(name)}`, ...set };
    const label = `the ${name} key, forwarded for ${address}`;
    const exchange = await callRoute(parts, modelsRoute, { label, headers });
    if (name === 'ip_allowed') {
      judgeServed(parts, modelsRoute, exchange, { requirement, aspect: 'stays-allowed', model: '' });
    } else {
      judge.refused(exchange, { requirement, aspect: 'stays-refused', codes: ['ip_not_allowed'] });
    }
  }
}
