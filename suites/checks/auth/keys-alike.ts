import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { bearer } from '../../engine/requests.ts';
import { spoil, type WrongKey, wrongKeyExamples } from '../../generators/wrong-key.ts';
import { chatRoute } from '../../oracle/core-routes.ts';
import { callRoute, servedTwin } from '../../steps/routes/call-route.ts';
import type { Rng } from '../../values/seed.ts';
import type { Exchange } from '../../wire/exchange.ts';

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
    // An answer may name its request or repeat a part of what it was sent.
    if (said(first) !== said(second)) {
      judge.note('unknown keys get differing messages: nothing was compared');
      return;
    }
    const { K1: k1, K3: k3 } = keys;
    for (const key of k3 === undefined ? [k1] : [k1, k3]) {
      await servedTwin(parts, chatRoute, key, { ...rule, aspect: 'twin-served' });
      for (const recipe of wrongKeyExamples.filter(isNear)) {
        cases.count();
        const exchange = await refuse(parts, accounts.altered(spoil(key, recipe)), recipe.kind);
        if (said(exchange) === said(first)) continue;
        // The text fixes only the code, and a more precise message helps those who guess keys.
        const expected = `the message for an unknown key: ${said(first)}`;
        judge.advise({ ...rule, expected, actual: said(exchange), exchange, twin: first });
      }
    }
  },
});

/** Keys that begin or end like a good one. A malformed key may get another message. */
function isNear({ kind }: WrongKey): boolean {
  return kind === 'one-character' || kind === 'extended' || kind === 'other-case';
}

function newKey(rng: Rng): string {
  return `sk-app-${rng.hex(32)}`;
}

async function refuse(parts: CheckParts, key: string, label: string): Promise<Exchange> {
  const exchange = await callRoute(parts, chatRoute, { label: `a key ${label}`, headers: bearer(key) });
  parts.judge.refused(exchange, { ...rule, aspect: 'refused', codes: ['invalid_api_key'] });
  return exchange;
}

function said({ response }: Exchange): string {
  return response?.body.toString('utf8') ?? '';
}
