import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { configExamples, generationConfig } from '../../generators/compat/generate-config.ts';
import { replyOf } from '../../generators/compat/generate-reply.ts';
import { generateTools, toolExamples } from '../../generators/compat/generate-tools.ts';
import { generateTurns, turnExamples } from '../../generators/compat/generate-turns.ts';
import { objectOf, objectsIn } from '../../oracle/native/json.ts';
import { must } from '../../rules/violation.ts';
import { shown } from '../../steps/chat/upstream-view.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { answeredB, atUpstream, callName, formsB, gammaModel, judgeUnchanged, type Rule } from './served.ts';

/** Valid both as JSON and as text, so it fits any requested format. */
const answer = { parts: [{ text: '{"wave":"high"}' }] };

interface Sent {
  readonly exchange: Exchange;
}

export const configUnchanged = defineCheck({
  id: 'compb.config.unchanged',
  title: 'generationConfig reaches the upstream unchanged, unknown members included',
  requirements: ['COMPB-004'],
  kind: 'property',
  needs: ['compat.b', 'upstream.control'],
  run: async (parts) => {
    const rule = { requirement: 'COMPB-004', aspect: 'config-accepted' };
    await parts.cases.forAll(
      generationConfig,
      (config) =>
        passOn(
          parts,
          () => ({ generationConfig: config }),
          rule,
          (sent) => judgeUnchanged('generationConfig', sent, { ...rule, aspect: 'config-unchanged' }),
        ),
      { quick: 15, full: 150, examples: configExamples },
    );
  },
});

export const toolsUnchanged = defineCheck({
  id: 'compb.tools.unchanged',
  title: 'tools and toolConfig reach the upstream unchanged, with any schema and kind of tool',
  requirements: ['COMPB-005'],
  kind: 'property',
  needs: ['compat.b', 'upstream.control'],
  run: async (parts) => {
    const rule = { requirement: 'COMPB-005', aspect: 'tools-accepted' };
    await parts.cases.forAll(
      generateTools,
      (tools) =>
        passOn(
          parts,
          () => ({ ...tools }),
          rule,
          (sent) => {
            judgeUnchanged('tools', sent, { ...rule, aspect: 'tools-unchanged' });
            judgeUnchanged('toolConfig', sent, { ...rule, aspect: 'tool-config-unchanged' });
          },
        ),
      { quick: 12, full: 120, examples: toolExamples },
    );
  },
});

export const turnsInOrder = defineCheck({
  id: 'compb.turns.in-order',
  title: 'the turns of contents reach the upstream in order, with their roles and all their parts',
  requirements: ['COMPB-006', 'COMPB-018'],
  kind: 'property',
  needs: ['compat.b', 'upstream.control'],
  run: async (parts) => {
    const rule = { requirement: 'COMPB-006', aspect: 'turns-accepted' };
    await parts.cases.forAll(
      generateTurns,
      (turns) =>
        passOn(
          parts,
          (prompt) => ({ contents: [...turns, { role: 'user', parts: [{ text: prompt }] }] }),
          rule,
          (sent) => {
            judgeRoles(sent);
            judgeUnchanged('contents', sent, {
              ...rule,
              requirement: 'COMPB-018',
              aspect: 'turn-content',
            });
          },
        ),
      { quick: 15, full: 150, examples: turnExamples },
    );
  },
});

/** Sends a body to a lenient upstream, plain and streamed, and calls back with what arrived. */
async function passOn(
  parts: CheckParts,
  more: (prompt: string) => JsonObject,
  rule: Rule,
  judge: (sent: { body: JsonObject; native: Awaited<ReturnType<typeof atUpstream>> } & Sent) => void,
): Promise<void> {
  const { newScene, http, target } = parts;
  const model = gammaModel(target);
  for (const stream of await formsB(parts)) {
    const scene = newScene();
    await scene.script(replyOf(answer, stream));
    const body = { ...scene.minimalB(), ...more(scene.prompt()) };
    const exchange = await http.compatB(model, body, { stream, label: callName(model, stream) });
    answeredB(parts.judge, exchange, stream, { ...rule, model });
    judge({ body, native: await atUpstream(scene, rule.requirement, exchange), exchange });
  }
}

/** A separate aspect for roles, apart from the content of turns. */
function judgeRoles({ body, native, exchange }: Parameters<Parameters<typeof passOn>[3]>[0]): void {
  const rolesOf = (contents: unknown): string =>
    objectsIn(contents)
      .map(({ role }) => String(role))
      .join(', ');
  const [sent, seen] = [rolesOf(body.contents), rolesOf(objectOf(native.json).contents)];
  must(sent === seen, {
    requirement: 'COMPB-006',
    aspect: 'turn-order',
    expected: `turns of ${sent}`,
    actual: seen,
    exchange,
    upstream: shown(native),
  });
}
