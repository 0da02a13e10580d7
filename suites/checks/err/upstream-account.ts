import type { Reply } from '../../../simulators/control/client.ts';
import { defineCheck } from '../../engine/check.ts';
import { codesFor } from '../../oracle/upstream-failures.ts';

const native = (status: number, code: string, message: string): Reply => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param: null, code } },
});

/** What upstreams say when it is the gateway's own account that they object to. */
const objections: readonly Reply[] = [
  native(401, 'invalid_api_key', 'The API key is not valid.'),
  native(401, 'account_deactivated', 'The account was deactivated.'),
  native(402, 'insufficient_funds', 'The balance is used up.'),
  native(403, 'access_denied', 'This key may not do that.'),
  native(403, 'ip_not_authorized', 'Your address is not allowed.'),
  native(404, 'model_not_found', 'The model does not exist.'),
  native(429, 'insufficient_quota', 'The quota is used up, see plan and billing.'),
  native(429, 'rate_limit_exceeded', 'Too many requests.'),
];

export const upstreamAccountIsOurMatter = defineCheck({
  id: 'err.upstream.account',
  title:
    "a rejected key or a spent quota of the gateway's own upstream account is never put down to the caller",
  requirements: ['ERR-010', 'ERR-006', 'ERR-008'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (kit) => {
    for (const reply of objections) {
      for (const stream of [false, true]) {
        kit.countCase();
        const scene = kit.scene();
        const model = kit.anyModel();
        await scene.script(reply);
        const body = { ...scene.minimal(model), ...(stream ? { stream } : {}) };
        const exchange = await kit.chat(body, { label: `upstream ${JSON.stringify(reply.body)}` });
        const codes = codesFor(reply.status ?? 0);
        kit.refused(exchange, { requirement: 'ERR-010', aspect: 'not-the-callers', codes });
        for (let good = 0; good < 3; good += 1) {
          const twin = await kit.chat(kit.scene().minimal(model), { label: 'positive twin' });
          kit.completed(twin, { requirement: 'ERR-010', aspect: 'recovers', model });
        }
      }
    }
  },
});
