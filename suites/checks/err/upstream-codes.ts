import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { asStream } from '../../generators/native/answer.ts';
import { native } from '../../generators/native-answer.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { codesFor } from '../../oracle/upstream-failures.ts';
import { must, part } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import { fewTenants, sideBySide } from '../../steps/tenants/side-by-side.ts';

interface UpstreamCause {
  readonly requirement: string;
  readonly codes: readonly ErrorCode[];
  /** `provoked` by default. */
  readonly aspect?: string;
  readonly model: string;
  readonly reply: (stream: boolean) => Reply;
}

/** Other forms of a policy block: the dialect's own, and those of a cloud that nests the cause one level deeper. */
const otherBlocks = [
  {
    aspect: 'provoked',
    error: {
      message: 'The prompt was blocked by our policy.',
      type: 'invalid_request_error',
      param: 'messages',
      code: 'content_policy_violation',
    },
  },
  {
    aspect: 'provoked-within',
    error: {
      message: 'The prompt cannot be processed.',
      type: null,
      param: 'prompt',
      code: 'contentFilter',
      status: 400,
      innererror: { code: 'ResponsibleAIPolicyViolation' },
    },
  },
];

export const unclassifiableIsUpstreamError = defineCheck({
  id: 'err.code.upstream-error',
  title: 'an unclassifiable upstream error gives 502 upstream_error and names no other channel',
  requirements: ['ERR-029', 'ERR-006', 'ERR-008'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const cause = { requirement: 'ERR-029', codes: ['upstream_error'] } as const;
    for (const model of dialectModels(parts.target))
      await part(() =>
        provoke(parts, { ...cause, model, reply: () => ({ status: 418, body: 'short and stout' }) }),
      );
  },
});

export const policyBlockIsContentFilter = defineCheck({
  id: 'err.code.content-filter',
  title: 'a prompt blocked by upstream policy is answered 400 content_filter',
  requirements: ['ERR-027', 'ERR-008'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const cause = { requirement: 'ERR-027', codes: ['content_filter'] } as const;
    for (const model of dialectModels(parts.target))
      await part(async () => {
        const dialect = dialectOf(model);
        await provoke(parts, { ...cause, model, reply: native(dialect).blocked });
        if (dialect === 'chat-completions')
          for (const { aspect, error } of otherBlocks)
            await provoke(parts, {
              ...cause,
              aspect,
              model,
              reply: () => ({ status: 400, body: { error } }),
            });
      });
  },
});

export const upstreamWindowIsContextTooLong = defineCheck({
  id: 'err.code.upstream-too-long',
  title: 'a prompt that the upstream finds too long is answered 400 context_too_long',
  requirements: ['ERR-025', 'ERR-007', 'ERR-008'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const cause = { requirement: 'ERR-025', codes: ['context_too_long'] } as const;
    for (const model of dialectModels(parts.target))
      await part(() => provoke(parts, { ...cause, model, reply: () => native(dialectOf(model)).tooLong }));
  },
});

export const noAnswerIsUpstreamError = defineCheck({
  id: 'err.upstream.no-answer',
  title: 'an upstream 200 with JSON that is not an answer, or an error, is treated as a failure',
  requirements: ['ERR-029', 'ERR-008'],
  kind: 'upstream',
  needs: ['upstream.control'],
  tenants: fewTenants,
  run: async (parts) => {
    const cause = { requirement: 'ERR-029', codes: codesFor(200) } as const;
    const all = dialectModels(parts.target).flatMap((model) => {
      const { dialect, noAnswers } = native(dialectOf(model));
      return noAnswers.map((body) => ({ model, dialect, body }));
    });
    await sideBySide(parts, all, async (own, { model, dialect, body }) => {
      // In a stream, only the last dialect has an event for it.
      const reply = (stream: boolean): Reply =>
        stream && dialect === 'generate-content'
          ? asStream(`data: ${JSON.stringify(body)}\n\n`)
          : { status: 200, body };
      await provoke(own, { ...cause, model, reply });
    });
  },
});

/** The failing call, plain and streamed, each with a twin that the upstream serves. */
async function provoke(
  parts: CheckParts,
  { requirement, codes, model, reply, aspect = 'provoked' }: UpstreamCause,
): Promise<void> {
  const { cases, http, newScene, judge } = parts;
  for (const stream of [false, true]) {
    cases.count();
    const twin = await http.chat(newScene().minimal(model), { label: 'positive twin' });
    judge.completed(twin, { requirement, aspect: 'twin-served', model });
    await keepClosed(parts, model);
    const scene = newScene();
    await scene.script(reply(stream));
    const body = { ...scene.minimal(model), ...(stream ? { stream } : {}) };
    const exchange = await http.chat(body, {
      label: `failing upstream of ${model}${stream ? ', stream' : ''}`,
    });
    const { param } = judge.refused(exchange, { requirement, aspect, codes, twin });
    const [head = ''] = (param ?? '').split(/[.[/]/).filter((segment) => segment !== '');
    must(param === null || hasMember(body, head), {
      requirement: 'ERR-007',
      aspect: 'param-of-request',
      expected: 'param null, or a field as the request names it',
      actual: `param ${param}`,
      exchange,
    });
  }
}

/** Whether a request has a member of this name. An upstream's own field name tells the caller nothing. */
function hasMember(value: unknown, name: string): boolean {
  if (value === null || typeof value !== 'object') return false;
  return Object.entries(value).some(([key, inner]) => key === name || hasMember(inner, name));
}
