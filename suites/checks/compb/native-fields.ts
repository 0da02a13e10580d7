import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { replyOf } from '../../generators/compat/generate-reply.ts';
import { unknownName } from '../../generators/compat/pass-through.ts';
import { isSuccess } from '../../wire/exchange.ts';
import { refusedB } from './refused.ts';
import { answeredB, atUpstream, callName, formsB, gammaModels, judgeUnchanged } from './served.ts';

const requirement = 'COMPB-001';

/** Members of the protocol that the specification does not name. */
const members: Readonly<Record<string, unknown>> = {
  systemInstruction: { role: 'user', parts: [{ text: ' Answer\n like a sailor. ' }, { text: 'Be brief.' }] },
  safetySettings: [
    { category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_ONLY_HIGH' },
    { category: 'HARM_CATEGORY_DANGEROUS_CONTENT', threshold: 'BLOCK_NONE' },
  ],
};

interface MemberCase {
  readonly model: string;
  readonly stream: boolean;
  readonly name: string;
  readonly value: unknown;
}

export const fieldsKept = defineCheck({
  id: 'compb.fields.kept',
  title: 'systemInstruction and safetySettings reach the upstream unchanged or are refused by name',
  requirements: [requirement],
  kind: 'upstream',
  needs: ['compat.b', 'upstream.control'],
  run: async (parts) => {
    for (const model of gammaModels(parts.target)) {
      for (const stream of await formsB(parts)) {
        for (const [name, value] of Object.entries(members))
          await judgeMember(parts, { model, stream, name, value });
      }
    }
  },
});

export const unknownFields = defineCheck({
  id: 'compb.fields.unknown',
  title: 'an unknown member of the body is accepted, or refused by name',
  requirements: [requirement],
  kind: 'property',
  needs: ['compat.b', 'upstream.control'],
  run: async ({ cases, newScene, http, target, judge }) => {
    const [model = ''] = gammaModels(target);
    await cases.forAll(
      unknownName,
      async (name) => {
        const scene = newScene();
        await scene.script(replyOf({ parts: [{ text: 'Here.' }] }, false));
        const body = { ...scene.minimalB(), [name]: { any: ['thing', 1] } };
        const exchange = await http.compatB(model, body, { label: `with ${name}` });
        const own = { requirement, aspect: 'unknown-clean' };
        if (isSuccess(exchange)) answeredB(judge, exchange, false, { ...own, model });
        else refusedB(judge, exchange, { ...own, codes: ['invalid_param'], param: name });
      },
      { quick: 8, full: 60, examples: ['zz_snake_case', 'stream', 'messages'] },
    );
  },
});

/** Accepted and passed on, or refused with its name (reading B-92). */
async function judgeMember(
  { cases, newScene, http, judge }: CheckParts,
  { model, stream, name, value }: MemberCase,
): Promise<void> {
  cases.count();
  const scene = newScene();
  const body: JsonObject = { ...scene.minimalB(), [name]: value };
  const exchange = await http.compatB(model, body, {
    stream,
    label: `${callName(model, stream)}, with ${name}`,
  });
  if (exchange.response?.status === 400) {
    refusedB(judge, exchange, { requirement, aspect: 'field-clean', codes: ['invalid_param'], param: name });
    return;
  }
  answeredB(judge, exchange, stream, { requirement, aspect: 'field-accepted', model });
  const native = await atUpstream(scene, requirement, exchange);
  judgeUnchanged(name, { body, native, exchange }, { requirement, aspect: 'field-kept' });
}
