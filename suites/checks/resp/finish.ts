import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Scene } from '../../engine/scene.ts';
import { plainAccepted, streamAccepted } from '../../oracle/accepted.ts';
import { oneTool } from '../../oracle/sample-tools.ts';
import { must, part } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';

const endInCalls = { requirement: 'RESP-012', aspect: 'finish-is-tool-calls', finish: 'tool_calls' };

export const naturalEndIsStop = defineCheck({
  id: 'resp.finish.stop',
  title: 'an answer that ends naturally or at a stop sequence has finish_reason stop',
  requirements: ['RESP-010'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { newScene, target } = parts;
    const script = { text: 'One, two, three. HALT Four, five, six.' };
    for (const model of dialectModels(target))
      await part(async () => {
        const own = { requirement: 'RESP-010', model, finish: 'stop' };
        const natural = newScene();
        await natural.script(script);
        await judgeFinishes(parts, natural, { ...own, aspect: 'natural-end' });
        const halted = newScene();
        await halted.script(script);
        await judgeFinishes(parts, halted, { ...own, aspect: 'stop-sequence', fields: { stop: ['HALT'] } });
      });
  },
});

export const cutByMaxTokensIsLength = defineCheck({
  id: 'resp.finish.length',
  title: 'an answer cut by max_tokens has finish_reason length and no more tokens than allowed',
  requirements: ['RESP-011', 'RESP-019'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const prompt = 'Count from 1 to 100 in words, one number a line, with nothing before or after.';
    const cut = { requirement: 'RESP-011', aspect: 'cut-by-max-tokens', finish: 'length', prompt };
    for (const model of parts.target.eachModel) {
      for (const maxTokens of [1, 5]) {
        const fields = { max_tokens: maxTokens };
        await judgeFinishes(parts, parts.newScene(), { ...cut, model, maxTokens, fields });
      }
    }
  },
});

export const endInCallsIsToolCalls = defineCheck({
  id: 'resp.finish.tool-calls',
  title: 'an answer that ends in tool calls has finish_reason tool_calls, plain and streamed',
  requirements: ['RESP-012'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    for (const model of parts.target.eachModel) {
      const prompt = 'Look up the word "tide".';
      const fields = { tools: [oneTool], tool_choice: 'required' };
      await judgeFinishes(parts, parts.newScene(), { ...endInCalls, model, prompt, fields });
    }
  },
});

export const callsDecide = defineCheck({
  id: 'resp.finish.calls-decide',
  title: 'tool calls have finish_reason tool_calls even if the upstream says stop, and length if cut',
  requirements: ['RESP-012', 'RESP-011'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const call = { name: 'look_up', arguments: '{"word":"tide"}' };
    const tools = { tools: [oneTool] };
    const cut = { requirement: 'RESP-011', aspect: 'cut-with-calls', finish: 'length' };
    for (const model of dialectModels(parts.target))
      for (const [said, aspect] of [
        [{}, endInCalls.aspect],
        [{ text: 'I look it up.' }, 'finish-after-text'],
      ] as const)
        for (const [finish, wanted, fields] of [
          ['stop', { ...endInCalls, aspect }, tools],
          // A client that mistakes a truncated answer for a complete one runs half a tool call.
          ['length', cut, { ...tools, max_tokens: 300 }],
        ] as const)
          await part(async () => {
            const scene = parts.newScene();
            await scene.script({ ...said, tool_calls: [call], finish });
            await judgeFinishes(parts, scene, { ...wanted, model, fields });
          });
  },
});

interface FinishCase {
  readonly requirement: string;
  readonly aspect: string;
  readonly model: string;
  readonly finish: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly maxTokens?: number;
  readonly prompt?: string;
}

/** Sends the same request plain and streamed; both must end for the reason of the case. */
async function judgeFinishes(
  { http, judge, cases }: CheckParts,
  scene: Scene,
  wanted: FinishCase,
): Promise<void> {
  const { requirement, aspect, model, maxTokens } = wanted;
  const body = { ...scene.minimal(model, wanted.prompt), ...wanted.fields };
  const label = `${model} ${aspect}`;
  const plain = await http.chat(body, { label });
  const stream = await http.chat({ ...body, stream: true }, { label: `${label}, streamed` });
  const answers = [
    { exchange: plain, seen: judge.completed(plain, { ...plainAccepted, model, maxTokens }).finishReason },
    { exchange: stream, seen: judge.streamed(stream, { ...streamAccepted, model, maxTokens }).finishReason },
  ];
  for (const { exchange, seen } of answers) {
    cases.count();
    const rule = { requirement, aspect, exchange };
    const expected = `finish_reason ${wanted.finish}`;
    must(seen === wanted.finish, { ...rule, expected, actual: `finish_reason ${seen}` });
  }
}
