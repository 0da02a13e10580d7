import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Scene } from '../../engine/scene.ts';
import { must, part } from '../../rules/violation.ts';
import { serverFault } from '../../steps/failures/routed-call.ts';
import { coreProtocol } from '../../steps/protocols/protocol.ts';
import { chatWay, type WayIn, wayLabel } from '../../steps/ways/way-in.ts';
import { keepWayClosed, waysOf } from '../../steps/ways/ways-of.ts';
import type { Exchange } from '../../wire/exchange.ts';

export const keyStaysInside = defineCheck({
  id: 'auth.key.stays-inside',
  title: "the caller's key stays inside the gateway: no upstream request of any endpoint carries it",
  requirements: ['AUTH-020', 'AUTH-001'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { target } = parts;
    const others = (await waysOf(parts)).filter(({ name }) => name !== 'core');
    const chats = target.hasChat ? target.models : [];
    const core = chats.flatMap((model) =>
      [false, true].map((stream) => chatWay(coreProtocol, model, stream)),
    );
    for (const way of [...core, ...others]) {
      await part(() => judgeServed(parts, way));
      if (way.lasts && way.name !== 'core') await part(() => judgeRetried(parts, way));
    }
  },
});

async function judgeServed(parts: CheckParts, way: WayIn): Promise<void> {
  parts.cases.count();
  const scene = parts.newScene();
  const exchange = await way.send(parts, way.body(scene), { label: `${way.model}, ${wayLabel(way)}` });
  way.judgeServed(parts, exchange, { requirement: 'AUTH-001', aspect: 'accepted' });
  if (way.lasts) return judgeInside(parts, scene, exchange);
  const { taskId } = parts.tasks.accepted(exchange);
  // Its job begins, is polled and has its files read after the answer.
  await parts.tasks.follow(taskId, { label: way.model });
  await judgeInside(parts, scene, exchange);
}

/** A second attempt is another request, with its own headers. */
async function judgeRetried(parts: CheckParts, way: WayIn): Promise<void> {
  parts.cases.count();
  await keepWayClosed(parts, way);
  const scene = parts.newScene();
  await scene.script(serverFault);
  const label = `${way.model}, ${wayLabel(way)}, whose upstream fails`;
  await judgeInside(parts, scene, await way.send(parts, way.body(scene), { label }));
}

async function judgeInside({ keys }: CheckParts, scene: Scene, exchange: Exchange): Promise<void> {
  const seen = await scene.requestsNow();
  const carries = seen.some(({ entry, text }) =>
    [text, entry.request.path, ...entry.request.headers.flat()].some((part) => part.includes(keys.K1)),
  );
  must(!carries, {
    requirement: 'AUTH-020',
    aspect: 'key-stays-inside',
    expected: "an upstream request with the gateway's own credential",
    actual: "it carries the caller's key",
    exchange,
  });
}
