import { defineCheck } from '../../engine/check.ts';
import { must } from '../../engine/violation.ts';
import { threeTools } from '../../oracle/sample-tools.ts';

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
      const exchange = await live.done;
      const { content } = kit.broken(exchange);
      must(content === '', {
        requirement: 'SSE-016',
        aspect: 'no-rerun',
        expected: 'no text: the upstream has said none',
        actual: JSON.stringify(content),
        exchange,
      });
    }
  },
});
