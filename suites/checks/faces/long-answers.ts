import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { threeTools } from '../../oracle/sample-tools.ts';
import { must } from '../../rules/violation.ts';
import type { Protocol } from '../../steps/protocols/protocol.ts';
import { compatOf, formsOn } from '../../steps/protocols/protocol-model.ts';
import { readSaid } from '../../steps/protocols/said.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** Far longer than any single read or write, and many pieces when streamed. */
const deltas = Array.from({ length: 300 }, (_, at) => `${at}: the sea is wide, `.padEnd(260, 'and wide '));
const long = JSON.stringify({ word: deltas.join('') });

interface Way {
  readonly protocol: Protocol;
  readonly model: string;
  readonly stream: boolean;
}

export const longAnswersAreWhole = defineCheck({
  id: 'faces.answer.long',
  title: 'on compat paths a very long answer comes back whole, both text and tool call arguments',
  requirements: ['COMPA-010', 'COMPB-010'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    for (const { protocol, models } of compatOf(parts)) {
      for (const stream of await formsOn(parts, { protocol, model: models[0] })) {
        for (const model of models) await judgeLong(parts, { protocol, model, stream });
      }
    }
  },
});

async function judgeLong({ cases, newScene, http, judge }: CheckParts, way: Way): Promise<void> {
  const { protocol, model, stream } = way;
  const [tool] = threeTools;
  const name = tool?.function.name ?? '';
  for (const [what, reply] of [
    ['a long text', { deltas }],
    ['a call with long arguments', { tool_calls: [{ name, arguments: long }], argument_deltas: 200 }],
  ] as const) {
    cases.count();
    const scene = newScene();
    await scene.script(
      'deltas' in reply ? { deltas: [...deltas] } : { ...reply, tool_calls: [...reply.tool_calls] },
    );
    const body = protocol.body(scene, { model, tools: threeTools, maxTokens: 30_000 });
    const label = `${protocol.name}, ${what} on ${model}${stream ? ', stream' : ''}`;
    const exchange = await protocol.send(http, model, body, { label, stream });
    const requirement = protocol.name === 'compat-a' ? 'COMPA-010' : 'COMPB-010';
    const said = readSaid(judge, protocol, exchange, { requirement, aspect: 'long-answered', model, stream });
    const whole = { requirement, exchange };
    if ('deltas' in reply) judgeWhole(said.text, deltas.join(''), { ...whole, aspect: 'long-text-whole' });
    else {
      const [call] = said.calls;
      const seen = JSON.stringify(call?.arguments ?? null);
      judgeWhole(seen, long, { ...whole, aspect: 'long-arguments-whole' });
    }
  }
}

function judgeWhole(
  seen: string,
  wanted: string,
  rule: { requirement: string; aspect: string; exchange: Exchange },
): void {
  const at = [...wanted].findIndex((character, place) => character !== seen[place]);
  must(seen === wanted, {
    ...rule,
    expected: `${wanted.length} characters as the upstream sent them`,
    actual: `${seen.length} characters, different from ${at < 0 ? wanted.length : at} on: ${seen.slice(Math.max(0, at - 20), at + 60)}`,
  });
}
