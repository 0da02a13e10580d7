import { defineCheck } from '../../engine/check.ts';
import type { Kit } from '../../engine/kit.ts';
import { must } from '../../engine/violation.ts';
import { chatCompletionsModel, nativeEvents, nativeStream } from '../../generators/native-answer.ts';
import { threeTools } from '../../oracle/sample-tools.ts';
import { codesFor } from '../../oracle/upstream-failures.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** How long the start of a call may take from the upstream to the client, ms. */
const patienceMs = 3_000;

/** The opening of the call and its fragments of arguments: the upstream breaks off before the last of them. */
const fragments = 4;

export const cutCallsAreSeen = defineCheck({
  id: 'sse.failure.cut-call',
  title:
    'a stream that breaks off within the arguments of a tool call ends visibly in failure, not in tool_calls',
  requirements: ['SSE-016'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (kit) => {
    const name = threeTools[0]?.function.name ?? '';
    for (const by of ['fin', 'rst'] as const) {
      kit.countCase();
      const scene = kit.scene();
      await scene.script({
        tool_calls: [{ name, arguments: '{"word":"the sea, the sea, the sea"}' }],
        argument_deltas: fragments,
        gates: [fragments - 1],
        cut: { after: fragments, by },
      });
      const body = { ...scene.minimal(kit.anyModel()), tools: threeTools, stream: true };
      const live = kit.openChat(body, { label: `upstream ends by ${by} within a call` });
      await scene.held(1);
      // A reset may overtake data, so it waits until the client has the beginning.
      await live.until((text) => text.includes(name), patienceMs);
      await scene.release();
      judge(kit, await live.done);
    }
    await judgeUnfinished(kit, name);
  },
});

/** The upstream's stream is whole as HTTP, but it stops within the call: no finish_reason, no [DONE]. */
async function judgeUnfinished(kit: Kit, name: string): Promise<void> {
  kit.countCase();
  const scene = kit.scene();
  const [role = ''] = nativeEvents([]);
  const call = { index: 0, id: 'call_native', type: 'function', function: { name, arguments: '{"word":"' } };
  const opening = role.replace('"content":""', `"content":null,"tool_calls":${JSON.stringify([call])}`);
  await scene.script(nativeStream(opening));
  const body = { ...scene.minimal(chatCompletionsModel(kit)), tools: threeTools, stream: true };
  const exchange = await kit.chat(body, { label: 'upstream just stops within a call' });
  // Beginning and end arrive together, so a gateway may see the failure before it has begun to answer.
  if (exchange.response?.status === 200) judge(kit, exchange);
  else kit.refused(exchange, { requirement: 'SSE-016', aspect: 'plain-error', codes: codesFor(200) });
}

function judge(kit: Kit, exchange: Exchange): void {
  const { content } = kit.broken(exchange);
  must(content === '', {
    requirement: 'SSE-016',
    aspect: 'no-rerun',
    expected: 'no text: the upstream has said none',
    actual: JSON.stringify(content),
    exchange,
  });
}
