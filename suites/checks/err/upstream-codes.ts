import type { Reply } from '../../../simulators/control/client.ts';
import { defineCheck } from '../../engine/check.ts';
import type { Kit } from '../../engine/kit.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';

interface UpstreamCause {
  readonly requirement: string;
  readonly code: ErrorCode;
  readonly reply: Reply;
}

/** The failing call, plain and with a stream asked for, each with a call of the same form that the upstream serves. */
async function provoke(kit: Kit, { requirement, code, reply }: UpstreamCause): Promise<void> {
  const model = kit.anyModel();
  for (const stream of [false, true]) {
    kit.countCase();
    const twin = await kit.chat(kit.scene().minimal(model), { label: 'positive twin' });
    kit.completed(twin, { requirement, aspect: 'twin-served', model });
    const scene = kit.scene();
    await scene.script(reply);
    const body = { ...scene.minimal(model), ...(stream ? { stream } : {}) };
    const exchange = await kit.chat(body, { label: `upstream ${reply.status}${stream ? ', stream' : ''}` });
    kit.refused(exchange, { requirement, aspect: 'provoked', codes: [code], twin });
  }
}

export const unclassifiableIsUpstreamError = defineCheck({
  id: 'err.code.upstream-error',
  title:
    'an upstream error that nobody can classify is answered 502 upstream_error and names no other channel than the one that failed',
  requirements: ['ERR-029', 'ERR-006', 'ERR-008'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: (kit) =>
    provoke(kit, {
      requirement: 'ERR-029',
      code: 'upstream_error',
      reply: { status: 418, body: 'short and stout' },
    }),
});

export const policyBlockIsContentFilter = defineCheck({
  id: 'err.code.content-filter',
  title: 'a prompt that the policy of the upstream blocks is answered 400 content_filter',
  requirements: ['ERR-027', 'ERR-008'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (kit) => {
    for (const code of ['content_filter', 'content_policy_violation']) {
      const error = {
        message: 'The prompt was blocked by our policy.',
        type: 'invalid_request_error',
        param: 'messages',
        code,
      };
      const reply = { status: 400, body: { error } };
      await provoke(kit, { requirement: 'ERR-027', code: 'content_filter', reply });
    }
  },
});
