import fc from 'fast-check';
import { type Check, defineCheck } from '../../engine/check.ts';
import { legalTools, toolOfSchemaWords } from '../../generators/legal-tools.ts';
import { threeTools, toolNamed } from '../../oracle/sample-tools.ts';
import { toolFamilies } from '../../oracle/tool-forms.ts';
import { must } from '../../rules/violation.ts';
import { formChecks } from '../../steps/chat/form-checks.ts';
import { judgeField } from '../../steps/chat/judge-forwarded.ts';
import { dialectModels, familyModels, nativeModels, nativeRequest } from '../../steps/chat/upstream-view.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** One check for each member of a tool definition. */
export const toolFormChecks: readonly Check[] = formChecks('tool.definition', toolFamilies);

/** Longer than some upstreams allow; the specification states no limit. */
const longDescription = 'Looks a word up: what it means, where it is from, what it rhymes with. '.repeat(40);

export const definitionsArrive = defineCheck({
  id: 'tool.definition.forwarded',
  title: 'name, description and parameters of every tool reach the upstream unchanged',
  requirements: ['TOOL-019'],
  kind: 'property',
  needs: ['upstream.control'],
  run: async ({ cases, newScene, http, judge, target }) => {
    await cases.forAll(
      fc.record({ tools: legalTools, model: fc.constantFrom(...nativeModels(target)) }),
      async ({ tools, model }) => {
        const scene = newScene();
        const body = { ...scene.minimal(model), tools };
        const exchange = await http.chat(body, { label: `${tools.length} tools` });
        judge.completed(exchange, { requirement: 'TOOL-019', aspect: 'tools-accepted', model });
        const native = await nativeRequest(scene, 'TOOL-019', exchange);
        const rule = { requirement: 'TOOL-019', aspect: 'definitions-exact' };
        judgeField('tools', { body, native, exchange }, rule);
      },
      {
        quick: 30,
        full: 400,
        examples: familyModels(target).flatMap((model) =>
          [[...threeTools], [toolOfSchemaWords]].map((tools) => ({ tools, model })),
        ),
      },
    );
  },
});

export const longDescriptionsArrive = defineCheck({
  id: 'tool.definition.long',
  title: 'a long description of a function reaches the upstream whole, or is refused cleanly',
  requirements: ['TOOL-019'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async ({ cases, newScene, http, judge, target }) => {
    for (const model of dialectModels(target)) {
      cases.count();
      const scene = newScene();
      const body = { ...scene.minimal(model), tools: [toolNamed('look_up', longDescription)] };
      const exchange = await http.chat(body, { label: `${longDescription.length} characters on ${model}` });
      const rule = { requirement: 'TOOL-019', aspect: 'definitions-exact' };
      if (exchange.response?.status === 400) {
        judge.refused(exchange, { ...rule, codes: ['invalid_param'] });
        judge.note(`refuses a description of ${longDescription.length} characters`);
        continue;
      }
      judge.completed(exchange, { requirement: 'TOOL-019', aspect: 'tools-accepted', model });
      judgeField('tools', { body, native: await nativeRequest(scene, 'TOOL-019', exchange), exchange }, rule);
    }
  },
});

export const toolsCount = defineCheck({
  id: 'tool.definition.counted',
  title: 'each tool that a request defines raises its prompt_tokens',
  requirements: ['TOOL-020'],
  kind: 'metamorphic',
  needs: [],
  run: async ({ target, newScene, cases, http, judge }) => {
    for (const model of target.eachModel) {
      const minimal = newScene().minimal(model);
      let before: { tokens: number; exchange: Exchange } | undefined;
      for (const count of [0, 1, 2, 3]) {
        cases.count();
        const body = { ...minimal, ...(count > 0 ? { tools: threeTools.slice(0, count) } : {}) };
        const exchange = await http.chat(body, { label: `${count} tools` });
        const rule = { requirement: 'TOOL-020', aspect: 'tools-accepted' };
        const { usage } = judge.completed(exchange, { ...rule, model });
        const tokens = usage.prompt_tokens;
        const raised = { ...rule, aspect: 'tool-raises-prompt-tokens', exchange, twin: before?.exchange };
        const expected = `prompt_tokens above ${before?.tokens} with ${count} tools`;
        const isMore = before === undefined || tokens > before.tokens;
        must(isMore, { ...raised, expected, actual: String(tokens) });
        before = { tokens, exchange };
      }
    }
  },
});
