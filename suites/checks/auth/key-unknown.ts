import { defineCheck } from '../../engine/check.ts';
import {
  spoil,
  type WrongKey,
  type WrongKeyKind,
  wrongKeyExamples,
  wrongKeys,
} from '../../generators/wrong-key.ts';
import { callRoute, servedTwin } from '../../steps/routes/call-route.ts';
import { routesOf } from '../../steps/routes/routes-of.ts';

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
