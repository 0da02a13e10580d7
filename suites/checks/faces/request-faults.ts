import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { blockedSubmit } from '../../generators/blocked-submit.ts';
import { native } from '../../generators/native-answer.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { codesFor } from '../../oracle/upstream-failures.ts';
import { must, part } from '../../rules/violation.ts';
import { type WayIn, wayLabel } from '../../steps/ways/way-in.ts';
import { keepWayClosed } from '../../steps/ways/ways-of.ts';
import { isSuccess } from '../../wire/exchange.ts';
import { lastingEndpoints, lastingWays } from './lasting-ways.ts';

/** More requests of one kind than any breaker passes if it counts them as failures. */
const inARow = 12;

/** An upstream's answer that another attempt would not change. */
interface Complaint {
  readonly requirement: string;
  readonly label: string;
  readonly codes: readonly ErrorCode[];
  /** Whether it may count against the channel (reading B-108). */
  readonly counts: boolean;
  readonly times: number;
  readonly reply: (way: WayIn) => Reply;
}

const complaints: Readonly<Record<'policy' | 'invalid' | 'unclassifiable', Complaint>> = {
  policy: {
    requirement: 'ROUTE-013',
    label: 'a prompt that upstream policy blocks',
    codes: ['content_filter'],
    counts: false,
    times: inARow,
    reply: ({ model, protocol, stream }) =>
      protocol === null ? blockedSubmit : native(dialectOf(model)).blocked(stream),
  },
  invalid: {
    requirement: 'ROUTE-014',
    label: 'a request that the upstream rejects',
    codes: codesFor(400),
    counts: false,
    times: inARow,
    reply: (way) => ({ status: 400, body: badRequestOf(way) }),
  },
  unclassifiable: {
    requirement: 'ROUTE-008',
    label: 'an upstream error of an unknown kind',
    codes: ['upstream_error'],
    counts: true,
    times: 3,
    reply: () => ({ status: 418, headers: { 'content-type': 'text/html' }, body: '<h1>418</h1>' }),
  },
};

/** Image upstreams word their errors as chat-completions upstreams do. */
function badRequestOf({ model, protocol }: WayIn): object {
  const dialect = protocol === null ? 'chat-completions' : dialectOf(model);
  return native(dialect).errorBody(400, 'The request cannot be served.');
}

const endpoints = 'on the compat paths and at images';

export const blocksAreNoOutage = defineCheck({
  id: 'faces.request.policy',
  title: `${endpoints} ${inARow} blocked prompts in a row are tried once each and do not open the breaker`,
  requirements: ['ROUTE-013'],
  kind: 'upstream',
  needs: ['upstream.control'],
  oneOf: lastingEndpoints,
  run: (parts) => judgeEachWay(parts, complaints.policy),
});

export const requestFaultsAreNoOutage = defineCheck({
  id: 'faces.request.invalid',
  title: `${endpoints} ${inARow} requests that an upstream rejects are tried once each and do not open the breaker`,
  requirements: ['ROUTE-014'],
  kind: 'upstream',
  needs: ['upstream.control'],
  oneOf: lastingEndpoints,
  run: (parts) => judgeEachWay(parts, complaints.invalid),
});

export const junkIsUpstreamError = defineCheck({
  id: 'faces.request.unclassifiable',
  title: `${endpoints} an unclassifiable upstream error gives 502 upstream_error after one try`,
  requirements: ['ROUTE-008'],
  kind: 'upstream',
  needs: ['upstream.control'],
  oneOf: lastingEndpoints,
  run: (parts) => judgeEachWay(parts, complaints.unclassifiable),
});

/** Runs endpoints in parallel, but the forms of one endpoint in sequence, because they share a model. */
async function judgeEachWay(parts: CheckParts, complaint: Complaint): Promise<void> {
  const byName = Map.groupBy(await lastingWays(parts), ({ name }) => name);
  await Promise.all(
    [...byName.values()].map(async (ways) => {
      for (const way of ways) await part(() => judgeWay(parts, way, complaint));
    }),
  );
}

async function judgeWay(parts: CheckParts, way: WayIn, complaint: Complaint): Promise<void> {
  const { requirement, times, counts } = complaint;
  for (let time = 1; time <= times; time += 1) {
    if (counts) await keepWayClosed(parts, way);
    await judgeOne(parts, way, complaint, time);
  }
  if (counts) return;
  const label = `a good call on ${way.model}, ${wayLabel(way)}`;
  const good = await way.send(parts, way.body(parts.newScene()), { label });
  way.judgeServed(parts, good, { requirement, aspect: 'never-counts' });
}

async function judgeOne(parts: CheckParts, way: WayIn, complaint: Complaint, time: number): Promise<void> {
  const { cases, newScene, judge } = parts;
  const { requirement, label, codes, counts } = complaint;
  cases.count();
  const scene = newScene();
  await scene.script(complaint.reply(way));
  const exchange = await way.send(parts, way.body(scene), { label: `${wayLabel(way)}: ${label}, ${time}` });
  const attempts = (await scene.requestsNow()).length;
  must(attempts > 0, {
    ...{ requirement, aspect: counts ? 'one-attempt' : 'never-counts', exchange },
    expected: `the ${time}th call of this kind at the upstream, whose channel is not at fault`,
    actual: 'it was refused without an upstream request',
  });
  // The native answer of compat path A to a blocked prompt is a success (reading B-38); other checks judge codes there.
  if (!isSuccess(exchange))
    judge.refused(exchange, {
      requirement,
      aspect: counts ? 'unclassifiable-code' : 'code',
      codes,
    });
  must(attempts === 1, {
    ...{ requirement, aspect: counts ? 'one-attempt' : 'not-retried', exchange },
    expected: 'one upstream request: another attempt would end alike',
    actual: `${attempts}`,
  });
}
