import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { HttpCalls } from '../../engine/parts/http-calls.ts';
import type { Scene } from '../../engine/scene.ts';
import { eventOf, type RawGenerate } from '../../generators/compat/generate-reply.ts';
import { asStream } from '../../generators/native/answer.ts';
import { generateContentWriter } from '../../generators/native/generate-content.ts';
import { brokenOffCodes } from '../../oracle/upstream-failures.ts';
import { must } from '../../rules/violation.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import { judgeHidden } from '../../steps/failures/judge-hidden.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';
import { refusedB } from './refused.ts';
import { answeredB, brokenB, callName, gammaModels, streamsB } from './served.ts';

const requirement = 'COMPB-011';
const textRule = 'COMPB-016';
const needs = ['compat.b', 'upstream.control'] as const;

/** Pieces of a text, of which the last never comes. */
const pieces = ['It was a dark ', 'and stormy ', 'night, and ', 'nobody knew ', 'why.'];
const sentBefore = 2;

/** How long a piece may take from the upstream to the client, ms. */
const timeoutMs = 3_000;

/** Words of the upstream that must not reach a caller. */
const canary = 'kernel panic on node sim-77';

export const cutStreams = defineCheck({
  id: 'compb.stream.cut',
  title: 'a stream cut by the upstream is delivered up to the cut and then visibly fails',
  requirements: [requirement, 'COMPB-017'],
  kind: 'upstream',
  needs,
  run: async (parts) => {
    const { newScene, target, http } = parts;
    if (!(await streamsB(parts))) return;
    for (const model of gammaModels(target)) {
      for (const by of ['fin', 'rst'] as const) {
        await keepClosed(parts, model);
        const scene = newScene();
        // The upstream waits before the cut until the client has the first pieces: a reset may overtake data.
        await scene.script({ deltas: pieces, gates: [sentBefore], cut: { after: sentBefore + 1, by } });
        const live = await openAndSee(http, scene, model, `${callName(model, true)}, cut by ${by}`);
        await scene.release();
        await judgeFailure(parts, scene, await live.done, model);
      }
    }
  },
});

export const brokenStreams = defineCheck({
  id: 'compb.stream.upstream-says',
  title: 'a broken upstream stream ends in a normalised error, without any text of the upstream',
  requirements: [requirement, 'COMPB-016', 'COMPB-017'],
  kind: 'upstream',
  needs,
  run: async (parts) => {
    const { newScene, http, target, judge } = parts;
    if (!(await streamsB(parts))) return;
    for (const model of gammaModels(target)) {
      for (const [label, reply] of Object.entries(brokenReplies())) {
        await keepClosed(parts, model);
        const scene = newScene();
        await scene.script(reply);
        const exchange = await http.compatB(model, scene.minimalB(), {
          stream: true,
          label: `${callName(model, true)}: ${label}`,
        });
        judgeHidden(exchange, [canary], textRule, label);
        // Text and failure arrive together, so a gateway may see the failure before it answers.
        if (isSuccess(exchange)) await judgeFailure(parts, scene, exchange, model);
        else refusedB(judge, exchange, { requirement, aspect: 'stream-refused', codes: brokenOffCodes });
      }
    }
  },
});

export const unbuffered = defineCheck({
  id: 'compb.stream.unbuffered',
  title: 'a stream of compat path B is passed on as it comes, not buffered to its end',
  requirements: ['COMPB-010', 'COMPB-017'],
  kind: 'upstream',
  needs,
  run: async (parts) => {
    const { cases, newScene, target, http, judge } = parts;
    if (!(await streamsB(parts))) return;
    for (const model of gammaModels(target)) {
      cases.count();
      const scene = newScene();
      await scene.script({ deltas: pieces, gates: [sentBefore] });
      const live = await openAndSee(http, scene, model, `${callName(model, true)}, held in the middle`);
      await scene.release();
      const exchange = await live.done;
      const rule = { requirement: 'COMPB-010', aspect: 'accepted', model };
      const { text } = answeredB(judge, exchange, true, rule);
      const [expected, actual] = [JSON.stringify(pieces.join('')), JSON.stringify(text)] as const;
      must(text === pieces.join(''), { ...rule, aspect: 'text-as-said', expected, actual, exchange });
    }
  },
});

async function openAndSee(
  http: HttpCalls,
  scene: Scene,
  model: string,
  label: string,
): Promise<LiveExchange> {
  const live = http.openCompatB(model, scene.minimalB(), { stream: true, label });
  const seen = (await scene.held(1)) && (await live.until((body) => body.includes('stormy'), timeoutMs));
  if (seen) return live;
  live.abort();
  const exchange = await live.done;
  must(false, {
    requirement: 'COMPB-010',
    aspect: 'piece-by-piece',
    expected: 'the first pieces while the upstream holds back the rest',
    actual: 'they do not arrive',
    exchange,
  });
}

function piece(text: string, more: Partial<RawGenerate> = {}): string {
  return eventOf({ parts: [{ text }], finish: null, ...more });
}

/** Streams that are complete as HTTP and incomplete as answers. */
function brokenReplies(): Record<string, Reply> {
  const begun = pieces.slice(0, sentBefore).map((text) => piece(text));
  const rest = [...pieces.slice(sentBefore + 1).map((text) => piece(text)), piece('', { finish: 'STOP' })];
  return {
    'an error event': asStream(begun, generateContentWriter.errorEvent(canary)),
    'an error event that comes first': asStream(generateContentWriter.errorEvent(canary)),
    'an event that is not JSON': asStream(begun, `data: <h1>${canary}</h1>\n\n`, rest),
    'an end without a finish reason': asStream(begun),
  };
}

async function judgeFailure(
  parts: CheckParts,
  scene: Scene,
  exchange: Exchange,
  model: string,
): Promise<void> {
  parts.cases.count();
  const { text } = brokenB(parts, exchange, model);
  const expected = `the beginning of ${JSON.stringify(pieces.join(''))}`;
  const actual = JSON.stringify(text);
  must(pieces.join('').startsWith(text), { requirement, aspect: 'no-rerun', expected, actual, exchange });
  judgeHidden(exchange, [canary], textRule, 'a failing stream');
  const attempts = (await scene.requestsNow()).length;
  must(attempts === 1, {
    requirement,
    aspect: 'no-rerun',
    expected: 'one upstream request: nothing is restarted after the first byte',
    actual: `${attempts} upstream requests`,
    exchange,
  });
}
