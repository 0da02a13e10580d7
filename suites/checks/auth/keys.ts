import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { bearer } from '../../engine/requests.ts';
import {
  spoil,
  type WrongKey,
  type WrongKeyKind,
  wrongKeyExamples,
  wrongKeys,
} from '../../generators/wrong-key.ts';
import { keyPrefixOf } from '../../profile/key-prefix.ts';
import { must } from '../../rules/violation.ts';
import { callRoute, mainRoute, routesOf, servedTwin } from '../../steps/routes/call-route.ts';
import type { Rng } from '../../values/seed.ts';
import type { Exchange } from '../../wire/exchange.ts';

export const keyIsAccepted = defineCheck({
  id: 'auth.key.accepted',
  title: 'a business key without an allow-list opens every route from any address',
  requirements: ['AUTH-001', 'AUTH-002', 'AUTH-012'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { keys, cases, target } = parts;
    const prefix = keyPrefixOf(target.profile);
    const expected = `keys that begin with ${prefix}`;
    const actual = 'keys.K1 of the profile begins differently: dialect.keys.prefix says how keys begin';
    must(prefix === null || keys.K1.startsWith(prefix), {
      ...{ requirement: 'AUTH-002', aspect: 'prefix' },
      ...{ expected, actual },
    });
    for (const route of routesOf(target)) {
      cases.count();
      await servedTwin(parts, route, keys.K1, { requirement: 'AUTH-001', aspect: 'key-served' });
    }
  },
});

export const unknownKeyIsRefused = defineCheck({
  id: 'auth.key.unknown',
  title: 'an unknown key, or one that differs at all from a good one, gets 401 invalid_api_key',
  requirements: ['AUTH-005', 'AUTH-002', 'ERR-014'],
  kind: 'property',
  needs: [],
  run: async (parts) => {
    const { keys, cases, accounts, judge, target } = parts;
    const routes = routesOf(target);
    const twins = new Map(
      await Promise.all(
        routes.map(
          async (route) =>
            [
              route,
              await servedTwin(parts, route, keys.K1, { requirement: 'AUTH-005', aspect: 'twin-served' }),
            ] as const,
        ),
      ),
    );
    await cases.forAll(
      wrongKeys,
      async (recipe: WrongKey) => {
        const key = accounts.altered(spoil(keys.K1, recipe));
        for (const route of routes) {
          const refusal = await callRoute(parts, route, {
            label: `key ${recipe.kind}`,
            headers: { authorization: `Bearer ${key}` },
          });
          const requirement = ruleOf(recipe.kind);
          const twin = twins.get(route);
          judge.refused(refusal, { requirement, aspect: recipe.kind, codes: ['invalid_api_key'], twin });
        }
      },
      { examples: wrongKeyExamples },
    );
  },
});

function ruleOf(kind: WrongKeyKind): string {
  return kind === 'without-prefix' || kind === 'other-prefix' ? 'AUTH-002' : 'AUTH-005';
}

const rule = { requirement: 'AUTH-005', aspect: 'alike' };

export const wrongKeysAreAlike = defineCheck({
  id: 'auth.key.alike',
  title: 'a near miss of a real key is refused in the same words as any unknown key',
  requirements: ['AUTH-005'],
  kind: 'metamorphic',
  needs: [],
  run: async (parts) => {
    const { judge, keys, cases, accounts, rng } = parts;
    const [first, second] = [
      await refuse(parts, newKey(rng), 'never issued'),
      await refuse(parts, newKey(rng), 'nor this'),
    ];
    // An answer may contain its request id or repeat a part of the request.
    if (said(first) !== said(second)) {
      judge.note('unknown keys get differing messages: nothing was compared');
      return;
    }
    const { K1: k1, K3: k3 } = keys;
    for (const key of k3 === undefined ? [k1] : [k1, k3]) {
      await servedTwin(parts, mainRoute(parts.target), key, { ...rule, aspect: 'twin-served' });
      for (const recipe of wrongKeyExamples.filter(isNear)) {
        cases.count();
        const exchange = await refuse(parts, accounts.altered(spoil(key, recipe)), recipe.kind);
        if (said(exchange) === said(first)) continue;
        // The specification fixes only the code. A more precise message helps attackers who guess keys.
        const expected = `the message for an unknown key: ${said(first)}`;
        judge.advise({ ...rule, expected, actual: said(exchange), exchange, twin: first });
      }
    }
  },
});

/** Keys that share a prefix or suffix with a valid key. A malformed key may get another message. */
function isNear({ kind }: WrongKey): boolean {
  return kind === 'one-character' || kind === 'extended' || kind === 'other-case';
}

function newKey(rng: Rng): string {
  return `sk-app-${rng.hex(32)}`;
}

async function refuse(parts: CheckParts, key: string, label: string): Promise<Exchange> {
  const exchange = await callRoute(parts, mainRoute(parts.target), {
    label: `a key ${label}`,
    headers: bearer(key),
  });
  parts.judge.refused(exchange, { ...rule, aspect: 'refused', codes: ['invalid_api_key'] });
  return exchange;
}

function said({ response }: Exchange): string {
  return response?.body.toString('utf8') ?? '';
}
