import { defineCheck } from '../../engine/check.ts';
import { referenceVersion } from '../../engine/compat-request.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { judgeOpenRefusal } from '../../oracle/refusal.ts';
import { must } from '../../rules/violation.ts';
import { compatA } from '../../steps/protocols/protocol.ts';
import { protocolModelOf } from '../../steps/protocols/protocol-model.ts';

const requirement = 'EP-014';

/** Paths that the native protocol has and the specification does not; a deployment may add the first two. */
const unknown: readonly (readonly [path: string, mayBeThere: boolean])[] = [
  ['/compat-a/v1/messages/count_tokens', true],
  ['/compat-a/v1/messages/batches', true],
  ['/compat-a/v1/complete', false],
  ['/compat-a/v1/messages/zzz', false],
  ['/compat-a/v1/zzz', false],
];

export const unknownOnCompatA = defineCheck({
  id: 'faces.paths.unknown-a',
  title: 'undocumented paths below compat path A answer 404 in the error shape, and reach no upstream',
  requirements: [requirement],
  kind: 'example',
  needs: ['compat.a'],
  run: async (parts) => {
    const some = parts.target.few(unknown, ([, mayBeThere]) => String(mayBeThere));
    for (const [path, mayBeThere] of some)
      for (const method of parts.target.few(['POST', 'GET'] as const))
        await judgePath(parts, path, method, mayBeThere);
  },
});

async function judgePath(
  parts: CheckParts,
  path: string,
  method: 'POST' | 'GET',
  mayBeThere: boolean,
): Promise<void> {
  const { cases, http, judge, keys, newScene, target } = parts;
  cases.count();
  const { protocol, model } = protocolModelOf(target, compatA);
  const scene = newScene();
  const exchange = await http.send({
    method,
    path,
    headers: { 'x-api-key': keys.K1, 'compat-a-version': referenceVersion },
    label: `${method} ${path}`,
    ...(method === 'GET' ? {} : { body: protocol.body(scene, { model }) }),
  });
  const status = exchange.response?.status ?? 0;
  // An extension may answer, or reject a body of the wrong kind; it must not fail.
  if (mayBeThere && status !== 404 && status >= 200 && status < 500) {
    judge.note(`${method} ${path} is an extension: HTTP ${status}`);
    return;
  }
  const statuses = method === 'GET' ? [404, 405] : [404];
  judgeOpenRefusal(exchange, { requirement, aspect: 'unknown-on-compat', statuses });
  if (target.profile.upstream === undefined) return;
  const arrived = (await scene.requestsNow()).length;
  const rule = { requirement, aspect: 'unknown-reaches-upstream', exchange };
  must(arrived === 0, { ...rule, expected: 'no upstream request', actual: `${arrived}` });
}
