import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Scene } from '../../engine/scene.ts';
import { textIn } from '../../oracle/compat/messages-answer.ts';
import { must, part } from '../../rules/violation.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';
import { answered, betaModels, streamedOrRefused, streamsHere } from './message-calls.ts';

/** Pieces of text that no template contains, so each one proves that its delta arrived. */
const pieces = ['first-piece ', 'second-piece ', 'third-piece ', 'fourth-piece'];

/** How long a delta may take to the client while the next one is held back, ms. */
const timeoutMs = 3_000;

export const everyBetaModelAnswers = defineCheck({
  id: 'compa.models.plain',
  title: 'every beta model answers a minimal native request with a native message',
  requirements: ['COMPA-001', 'COMPA-010'],
  kind: 'example',
  needs: ['compat.a'],
  run: async ({ newScene, http, target, cases }) => {
    for (const model of betaModels(target)) {
      for (const more of [{}, { stream: false }]) {
        const body = { ...newScene().minimalA(model), ...more };
        const exchange = await http.compatA(body, { label: `${model} ${JSON.stringify(more)}` });
        const answer = answered(cases, exchange, body, { requirement: 'COMPA-001', aspect: 'served' });
        must(textIn(answer) !== '', {
          requirement: 'COMPA-001',
          aspect: 'says-something',
          expected: 'a message with text',
          actual: JSON.stringify(answer.content),
          exchange,
        });
      }
    }
  },
});

export const everyBetaModelStreams = defineCheck({
  id: 'compa.models.streamed',
  title: 'every beta model streams the native events in order, or stream is refused cleanly',
  requirements: ['COMPA-010', 'COMPA-018'],
  kind: 'example',
  needs: ['compat.a'],
  run: async (parts) => {
    const { newScene, http, target } = parts;
    for (const model of betaModels(target)) {
      const body = { ...newScene().minimalA(model), stream: true };
      const exchange = await http.compatA(body, { label: `${model}, streamed` });
      const answer = streamedOrRefused(parts, exchange, body, {
        requirement: 'COMPA-010',
        aspect: 'stream-served',
      });
      must(answer === null || textIn(answer) !== '', {
        requirement: 'COMPA-010',
        aspect: 'stream-says-something',
        expected: 'a stream with text',
        actual: JSON.stringify(answer?.content),
        exchange,
      });
    }
  },
});

export const idsAreOfTheirOwn = defineCheck({
  id: 'compa.answer.ids',
  title: 'every message has its own id, plain and streamed',
  requirements: ['COMPA-010'],
  kind: 'example',
  needs: ['compat.a'],
  run: async (parts) => {
    const { newScene, http, target, cases } = parts;
    const ids = new Map<string, string>();
    for (const model of betaModels(target)) {
      for (const stream of [false, false, true]) {
        const body = { ...newScene().minimalA(model), ...(stream ? { stream } : {}) };
        const exchange = await http.compatA(body, { label: `${model}${stream ? ', streamed' : ''}` });
        const rule = { requirement: 'COMPA-010', aspect: 'served' };
        const answer = stream
          ? streamedOrRefused(parts, exchange, body, rule)
          : answered(cases, exchange, body, rule);
        if (answer === null) continue;
        must(!ids.has(answer.id), {
          requirement: 'COMPA-010',
          aspect: 'id-unique',
          expected: 'an id that no other message has',
          actual: answer.id,
          exchange,
        });
        ids.set(answer.id, model);
      }
    }
  },
});

export const nativeStreamIsUnbuffered = defineCheck({
  id: 'compa.stream.unbuffered',
  title: 'each delta and call of a native stream is passed on at once, before the upstream sends the next',
  requirements: ['COMPA-010'],
  kind: 'timing',
  needs: ['compat.a', 'upstream.control'],
  run: async (parts) => {
    if (!(await streamsHere(parts))) return;
    for (const encoding of ['identity', 'gzip'])
      await part(() => judgePace(parts, parts.rng.pick(betaModels(parts.target)), encoding));
    await part(() => judgeCalls(parts, parts.rng.pick(betaModels(parts.target))));
  },
});

async function judgePace(
  { newScene, http, cases }: CheckParts,
  model: string,
  encoding: string,
): Promise<void> {
  const scene = newScene();
  await scene.script({ text: pieces.join(''), deltas: pieces, gates: [1, 2, pieces.length - 1, 'end'] });
  const body = { ...scene.minimalA(model), stream: true };
  const headers = { 'accept-encoding': encoding };
  const live = http.openCompatA(body, { label: `${model}, ${encoding}`, headers });
  for (const piece of pieces) await judgeSeen(scene, live, piece.trim());
  answered(cases, await live.done, body, { requirement: 'COMPA-010', aspect: 'stream-served' });
}

/** A call is streamed at once, also after another call whose end shows only in its arguments or its own event. */
async function judgeCalls({ newScene, http, cases }: CheckParts, model: string): Promise<void> {
  const scene = newScene();
  const names = ['first_call', 'second_call', 'third_call'];
  await scene.script({
    tool_calls: names.map((name) => ({ name, arguments: '{"at": {"place": "}"}}' })),
    argument_deltas: 2,
    gates: [1, 4, 7],
  });
  const tools = names.map((name) => ({ name, description: 'A call.', input_schema: { type: 'object' } }));
  const body = { ...scene.minimalA(model), tools, stream: true };
  const live = http.openCompatA(body, { label: `${model}, three calls` });
  for (const name of names) await judgeSeen(scene, live, name);
  answered(cases, await live.done, body, { requirement: 'COMPA-010', aspect: 'stream-served' });
}

/** Judges that a text arrives while the upstream holds back the rest; then releases the rest. */
async function judgeSeen(scene: Scene, live: LiveExchange, wanted: string): Promise<void> {
  const seen = (await scene.held(1)) && (await live.until((text) => text.includes(wanted), timeoutMs));
  if (!seen) live.abort();
  must(seen, {
    requirement: 'COMPA-010',
    aspect: 'delta-by-delta',
    expected: `"${wanted}" within ${timeoutMs} ms, while the upstream holds back what follows`,
    actual: 'it does not arrive until more is sent',
    exchange: seen ? undefined : await live.done,
  });
  await scene.release();
}
