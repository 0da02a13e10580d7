import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import type { CheckClock } from '../../engine/parts/check-clock.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { HttpCalls } from '../../engine/parts/http-calls.ts';
import type { Scene } from '../../engine/scene.ts';
import { asStream } from '../../generators/native/answer.ts';
import { native } from '../../generators/native-answer.ts';
import { streamAccepted } from '../../oracle/accepted.ts';
import { answerText } from '../../oracle/error-leaks.ts';
import { hasFailed } from '../../oracle/exchange/judge-exchange.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { judgeSameText } from '../../oracle/same-text.ts';
import { textSoFar } from '../../oracle/text-so-far.ts';
import { brokenOffCodes } from '../../oracle/upstream-failures.ts';
import type { Dialect } from '../../profile/dialects.ts';
import { must, part } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';

/** The text. The upstream sends only its first pieces before it fails. */
const pieces = ['It was a dark ', 'and stormy ', 'night, and ', 'nobody knew ', 'why.'];
const text = pieces.join('');
const sentBefore = 2;
const start = pieces.slice(0, sentBefore).join('');

/** How long a delta may take from the upstream to the client, ms. */
const timeoutMs = 3_000;

/** Words of the upstream that must not reach a caller. */
const canary = 'kernel panic on node sim-77';

const jumpMs = 30_000;
const maxJumps = 25;

export const cutStreamsAreSeen = defineCheck({
  id: 'sse.failure.cut',
  title: 'a stream that the upstream cuts off ends as a visible failure, not as a good answer',
  requirements: ['SSE-016', 'SSE-008', 'ERR-006'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { newScene, target, http } = parts;
    for (const model of dialectModels(target))
      await part(async () => {
        for (const by of ['fin', 'rst'] as const) {
          await keepClosed(parts, model);
          const scene = newScene();
          // The upstream waits before the cut until the client has the first pieces, because a reset may overtake data.
          await scene.script({ deltas: pieces, gates: [sentBefore], cut: { after: sentBefore + 1, by } });
          const live = await openAndSee(http, scene, model, `${model}, whose upstream ends by ${by}`);
          await scene.release();
          await judgeFailure(parts, scene, await live.done);
        }
      });
  },
});

export const brokenStreamsAreSeen = defineCheck({
  id: 'sse.failure.upstream-says',
  title: 'an upstream stream that errors, turns to garbage or just stops ends as a visible failure',
  requirements: ['SSE-016'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { newScene, http, judge, target } = parts;
    for (const model of dialectModels(target))
      await part(async () => {
        for (const { label, reply, mayServe } of brokenStreams(dialectOf(model))) {
          await keepClosed(parts, model);
          const scene = newScene();
          await scene.script(reply);
          const body = { ...scene.minimal(model), stream: true };
          const exchange = await http.chat(body, { label: `${model}: ${label}` });
          if (mayServe === true && isSuccess(exchange) && !hasFailed(exchange)) {
            const { content } = judge.streamed(exchange, { ...streamAccepted, model });
            judgeSameText(content, text, { requirement: 'SSE-016', aspect: 'visible', exchange });
            continue;
          }
          // Beginning and failure arrive together, so a gateway may see the failure before it answers.
          if (isSuccess(exchange)) await judgeFailure(parts, scene, exchange);
          else
            judge.refused(exchange, { requirement: 'SSE-015', aspect: 'plain-error', codes: brokenOffCodes });
        }
      });
  },
});

export const failureComesFirst = defineCheck({
  id: 'sse.failure.error-first',
  title: 'an upstream stream that begins with an error becomes a plain HTTP error',
  requirements: ['SSE-015', 'ERR-009'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async ({ cases, http, newScene, judge, target }) => {
    for (const model of dialectModels(target))
      await part(async () => {
        cases.count();
        const body = { ...newScene().minimal(model), stream: true };
        const twin = await http.chat(body, { label: 'positive twin' });
        judge.streamed(twin, { ...streamAccepted, model });
        const scene = newScene();
        await scene.script(asStream(native(dialectOf(model)).errorEvent(canary)));
        const exchange = await http.chat({ ...scene.minimal(model), stream: true }, { label: model });
        const seen = answerText(exchange);
        const rule = { requirement: 'ERR-009', aspect: 'no-upstream-text', exchange };
        const expected = "none of the upstream's own words";
        must(!seen.includes(canary), { ...rule, expected, actual: seen.slice(0, 200) });
        judge.refused(exchange, {
          requirement: 'SSE-015',
          aspect: 'plain-error',
          codes: brokenOffCodes,
          twin,
        });
      });
  },
});

export const stalledStreamsAreSeen = defineCheck({
  id: 'sse.failure.stalled',
  title: 'a stream whose upstream goes silent ends as a visible failure',
  requirements: ['SSE-016'],
  kind: 'upstream',
  needs: ['upstream.control', 'hooks.clock'],
  clock: 'jump',
  run: async (parts) => {
    const { newScene, target, http, clock } = parts;
    for (const model of dialectModels(target))
      await part(async () => {
        await keepClosed(parts, model);
        const scene = newScene();
        await scene.script({ deltas: pieces, hang: sentBefore });
        const live = await openAndSee(http, scene, model, `${model}, whose upstream stalls`);
        const ended = await jumpUntilEnded(clock, live);
        if (!ended) live.abort();
        const exchange = await live.done;
        const rule = { requirement: 'SSE-016', aspect: 'stall-ends', exchange };
        const expected = `an end within ${maxJumps * jumpMs} ms of silence`;
        must(ended, { ...rule, expected, actual: 'the stream stays open' });
        await judgeFailure(parts, scene, exchange);
      });
  },
});

/** A stream that is whole as HTTP and broken as an answer. */
interface BrokenStream {
  readonly label: string;
  readonly reply: Reply;
  /** All of its text is there, so that it may be served whole. */
  readonly mayServe?: true;
}

/** Such streams in the dialect's format. */
function brokenStreams(dialect: Dialect): BrokenStream[] {
  const { stream, errorEvent } = native(dialect);
  const { opening, fragments, ending } = stream(pieces);
  const begun = [...opening, ...fragments.slice(0, sentBefore)];
  return [
    { label: 'an error event', reply: asStream(begun, errorEvent(canary)) },
    {
      // The text lacks the piece of this chunk, even if the stream continues correctly.
      label: 'a chunk that is not JSON',
      reply: asStream(begun, `data: <h1>${canary}</h1>\n\n`, fragments.slice(sentBefore + 1), ending),
    },
    {
      label: 'a piece of text that is no text',
      reply: asStream(begun, noText(fragments[sentBefore]), fragments.slice(sentBefore + 1), ending),
    },
    { label: 'an end without an end event', reply: asStream(begun) },
    {
      ...{ label: 'an end before the text', mayServe: true },
      reply: asStream(opening, ending, opening, fragments, ending),
    },
  ];
}

/** An event with an object in place of its text. */
function noText(event = ''): string {
  const odd = event.replace(JSON.stringify(pieces[sentBefore]), JSON.stringify({ odd: canary }));
  if (odd === event) throw new Error('a dialect writes its text otherwise');
  return odd;
}

/** Lets time pass until the stream has ended, longer than any gateway's own timeout. */
async function jumpUntilEnded(clock: CheckClock, live: LiveExchange): Promise<boolean> {
  let ended = false;
  void live.done.then(() => {
    ended = true;
  });
  for (let jump = 0; jump < maxJumps && !ended; jump += 1) {
    await clock.jump(jumpMs);
    // Gives the stream a moment to end.
    await live.until(() => false, 100);
  }
  return ended;
}

async function openAndSee(
  http: HttpCalls,
  scene: Scene,
  model: string,
  label: string,
): Promise<LiveExchange> {
  const live = http.openChat({ ...scene.minimal(model), stream: true }, { label });
  const seen =
    (await scene.held(1)) && (await live.until((body) => textSoFar(body).includes('stormy'), timeoutMs));
  if (seen) return live;
  live.abort();
  const exchange = await live.done;
  const rule = { requirement: 'SSE-018', aspect: 'delta-by-delta', exchange };
  const expected = `${JSON.stringify(start)} while the upstream holds back the rest`;
  must(false, { ...rule, expected, actual: 'it does not arrive' });
}

async function judgeFailure({ cases, judge }: CheckParts, scene: Scene, exchange: Exchange): Promise<void> {
  cases.count();
  const { content } = judge.broken(exchange);
  const rule = { requirement: 'SSE-016', aspect: 'no-rerun', exchange };
  const beginning = `the beginning of ${JSON.stringify(text)}`;
  must(text.startsWith(content), { ...rule, expected: beginning, actual: JSON.stringify(content) });
  const raw = { expected: "none of the upstream's own words", actual: `the stream says "${canary}"` };
  must(!exchange.response?.body.includes(canary), { ...rule, ...raw, aspect: 'no-raw-text' });
  const attempts = (await scene.requestsNow()).length;
  const expected = 'one upstream request: nothing is run again after the first byte';
  must(attempts === 1, { ...rule, expected, actual: `${attempts} upstream requests` });
}
