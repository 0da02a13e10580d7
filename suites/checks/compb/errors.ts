import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { replyOf } from '../../generators/compat/generate-reply.ts';
import { generateContentWriter } from '../../generators/native/generate-content.ts';
import { isBrokenGenerate } from '../../oracle/compat/generate-stream.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { judgeErrorShape, judgeOpenRefusal } from '../../oracle/refusal.ts';
import { codesFor } from '../../oracle/upstream-failures.ts';
import { must } from '../../rules/violation.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { refusedB } from './refused.ts';
import {
  answeredB,
  brokenB,
  callName,
  formsB,
  gammaModel,
  gammaModels,
  pathB,
  sendTo,
  twinB,
} from './served.ts';

const requirement = 'COMPB-011';

interface Cause {
  readonly code: ErrorCode;
  readonly model: string;
  readonly body: JsonObject;
  readonly key?: string | null;
}

/** Finish reasons that mean a policy block. */
const { filtered } = generateContentWriter;

export const callersFaults = defineCheck({
  id: 'compb.errors.callers',
  title: 'refusals have the normalised error members, with the code as a word and its own status',
  requirements: [requirement],
  kind: 'example',
  needs: ['compat.b'],
  run: async (parts) => {
    const { cases, http, target, judge } = parts;
    for (const model of gammaModels(target)) {
      const twin = await twinB(parts, model);
      for (const stream of await formsB(parts)) {
        for (const { code, key, ...call } of causes(parts, model)) {
          cases.count();
          const label = `${callName(model, stream)}: ${code}`;
          const options = { stream, label, ...(key === undefined ? {} : { key }) };
          const exchange = await http.compatB(call.model, call.body, options);
          refusedB(judge, exchange, { requirement, aspect: 'caller-told', codes: [code], twin });
        }
      }
    }
  },
});

export const unknownWays = defineCheck({
  id: 'compb.errors.unknown-ways',
  title: 'an unknown verb or method is refused with 404 or 405 in the normalised error shape',
  requirements: [requirement],
  kind: 'example',
  needs: ['compat.b'],
  run: async ({ keys, newScene, cases, target, http }) => {
    const model = gammaModel(target);
    const key = `key=${encodeURIComponent(keys.K1)}`;
    const body = newScene().minimalB();
    const paths = [
      pathB(model, key, 'zzGenerateContent'),
      pathB(model, key, 'GenerateContent'),
      pathB(model, key, 'generatecontent'),
      pathB(model, key, ''),
      `/compat-b/v1beta/models/${model}/generateContent?${key}`,
      `/compat-b/v1/models/${model}:generateContent?${key}`,
      `/compat-b/v1beta/Models/${model}:generateContent?${key}`,
      `${pathB(model)}/?${key}`,
    ];
    for (const path of target.few(paths)) {
      cases.count();
      const exchange = await sendTo(http, path, body);
      judgeOpenRefusal(exchange, { requirement, aspect: 'unknown-way', statuses: [404, 405] });
    }
    for (const method of target.few(['GET', 'PUT', 'DELETE'])) {
      cases.count();
      const exchange = await sendTo(http, pathB(model, key), body, { method, label: `${method} of a call` });
      judgeOpenRefusal(exchange, { requirement, aspect: 'unknown-way', statuses: [404, 405] });
    }
  },
});

export const upstreamsFaults = defineCheck({
  id: 'compb.errors.upstreams',
  title: 'an upstream failure becomes a documented error code with its status, streamed or not',
  requirements: [requirement],
  kind: 'upstream',
  needs: ['compat.b', 'upstream.control'],
  run: async (parts) => {
    const { cases, newScene, http, target, judge } = parts;
    const tooLong = { reply: generateContentWriter.tooLong, codes: ['context_too_long'] as const };
    const failures: readonly { reply: Reply; codes: readonly ErrorCode[] }[] = [
      tooLong,
      ...[400, 404, 418, 500, 503].map((status) => ({ reply: { status }, codes: codesFor(status) })),
      ...[{}, { candidates: [] }].map((body) => ({ reply: { status: 200, body }, codes: codesFor(200) })),
    ];
    const model = gammaModel(target);
    for (const stream of await formsB(parts)) {
      for (const { reply, codes } of failures) {
        cases.count();
        await keepClosed(parts, model);
        const scene = newScene();
        await scene.script(reply);
        const label = `${callName(model, stream)}, whose upstream answers ${reply.status}`;
        const exchange = await http.compatB(model, scene.minimalB(), { stream, label });
        refusedB(judge, exchange, { requirement, aspect: 'upstream-told', codes });
      }
    }
  },
});

export const blockedPrompt = defineCheck({
  id: 'compb.filter.prompt',
  title: "a prompt blocked by the upstream's policy is answered 400 content_filter, streamed or not",
  requirements: [requirement],
  kind: 'upstream',
  needs: ['compat.b', 'upstream.control'],
  run: async (parts) => {
    const { cases, newScene, http, target, judge } = parts;
    for (const model of gammaModels(target)) {
      const twin = await twinB(parts, model);
      for (const stream of await formsB(parts)) {
        for (const word of ['SAFETY', 'PROHIBITED_CONTENT', 'OTHER']) {
          cases.count();
          const scene = newScene();
          await scene.script(blocked(word, stream));
          const label = `${callName(model, stream)}, blocked for ${word}`;
          const exchange = await http.compatB(model, scene.minimalB(), { stream, label });
          const codes = ['content_filter'] as const;
          refusedB(judge, exchange, { requirement, aspect: 'prompt-blocked', codes, twin });
        }
      }
    }
  },
});

export const blockedAnswer = defineCheck({
  id: 'compb.filter.answer',
  title: 'an answer cut or held back by policy says so natively, or is refused as content_filter',
  requirements: [requirement],
  kind: 'upstream',
  needs: ['compat.b', 'upstream.control'],
  run: async (parts) => {
    const { cases, newScene, http, target } = parts;
    for (const model of gammaModels(target)) {
      for (const stream of await formsB(parts)) {
        for (const finish of filtered) {
          for (const pieces of [[], [{ text: 'It was a dark and' }]]) {
            cases.count();
            const scene = newScene();
            await scene.script(replyOf({ parts: pieces, finish }, stream));
            const label = `${callName(model, stream)}, held back for ${finish}`;
            const exchange = await http.compatB(model, scene.minimalB(), { stream, label });
            judgeFiltered(parts, { exchange, model, stream });
          }
        }
      }
    }
  },
});

/** Each code that a client alone can cause, and codes with a declared key. */
function causes({ newScene, keys, rng }: CheckParts, model: string): Cause[] {
  const body = newScene().minimalB();
  const { disabled, expired, ip_restricted: restricted } = keys;
  const tooMuch = { ...body, generationConfig: { maxOutputTokens: 2_500_000 } };
  return [
    { code: 'invalid_api_key', model, body, key: null },
    { code: 'model_not_found', model: `zz-${rng.hex(8)}`, body },
    { code: 'invalid_param', model, body: {} },
    { code: 'context_too_long', model, body: tooMuch },
    ...(disabled === undefined ? [] : [{ code: 'sk_disabled', model, body, key: disabled } as const]),
    ...(expired === undefined ? [] : [{ code: 'sk_expired', model, body, key: expired } as const]),
    ...(restricted === undefined ? [] : [{ code: 'ip_not_allowed', model, body, key: restricted } as const]),
  ];
}

function blocked(blockReason: string, stream: boolean): Reply {
  const { body, ...reply } = generateContentWriter.blocked(stream);
  const named = JSON.stringify(body).replaceAll('SAFETY', blockReason);
  return { ...reply, body: JSON.parse(named) as unknown };
}

function judgeFiltered(
  parts: CheckParts,
  { exchange, model, stream }: { exchange: Exchange; model: string; stream: boolean },
): void {
  const own = { requirement, aspect: 'answer-blocked' };
  if (exchange.response?.status === 400) {
    judgeErrorShape(exchange);
    refusedB(parts.judge, exchange, { ...own, codes: ['content_filter'] });
    return;
  }
  if (isBrokenGenerate(exchange)) {
    const { error } = brokenB(parts, exchange, model);
    const expected = 'an error event content_filter, or a finishReason of the filter';
    const actual = error?.code ?? 'a broken connection';
    must(error?.code === 'content_filter', { ...own, expected, actual, exchange });
    return;
  }
  const { finishReason } = answeredB(parts.judge, exchange, stream, { ...own, model });
  must(filtered.includes(finishReason), {
    ...own,
    expected: `400 content_filter, or a finishReason among ${filtered.join(', ')}`,
    actual: `finishReason ${finishReason}`,
    exchange,
  });
}
