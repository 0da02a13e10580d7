import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { plainAccepted, streamAccepted } from '../../oracle/accepted.ts';
import { oneTool } from '../../oracle/sample-tools.ts';
import { textSoFar } from '../../oracle/text-so-far.ts';
import { must, part } from '../../rules/violation.ts';
import { familyModels } from '../../steps/chat/upstream-view.ts';
import { isJsonObject, parseJson } from '../../values/json.ts';
import { isSuccess, mediaType } from '../../wire/exchange.ts';

export const streamHasItsShape = defineCheck({
  id: 'sse.shape.every-model',
  title: 'every model streams well-formed chunks in order, with text, usage and a final [DONE]',
  requirements: [
    'SSE-002',
    'SSE-001',
    'SSE-003',
    'SSE-004',
    'SSE-005',
    'SSE-006',
    'SSE-008',
    'SSE-009',
    'SSE-010',
    'SSE-012',
    'SSE-013',
    'SSE-014',
    'RESP-020',
  ],
  kind: 'example',
  needs: [],
  run: async ({ target, cases, newScene, http, judge }) => {
    for (const model of target.eachModel) {
      cases.count();
      const body = { ...newScene().minimal(model, 'Say one sentence about the sea.'), stream: true };
      const exchange = await http.chat(body, { label: model });
      const stream = judge.streamed(exchange, { ...streamAccepted, model });
      const isText = stream.toolCalls.length === 0 && stream.content.trim() !== '';
      const rule = { requirement: 'SSE-006', aspect: 'text-in-fragments', exchange };
      const actual = `${stream.fragments.length} fragments with ${JSON.stringify(stream.content.slice(0, 80))}`;
      must(isText, { ...rule, expected: 'the text of the answer in delta.content', actual });
    }
  },
});

export const everyModelStreams = defineCheck({
  id: 'sse.models.all',
  title: 'every enabled chat model of the catalogue can stream, text and tool calls alike',
  requirements: ['SSE-017'],
  kind: 'example',
  needs: [],
  run: async ({ target, newScene, cases, http, judge }) => {
    for (const model of target.eachModel) {
      const expected = { requirement: 'SSE-017', aspect: 'streams-on-every-model', model };
      const minimal = { ...newScene().minimal(model, 'Look the word "sea" up.'), stream: true };
      cases.count();
      const text = await http.chat(minimal, { label: `text on ${model}` });
      const { content } = judge.streamed(text, expected);
      must(content !== '', { ...expected, expected: 'text', actual: 'none', exchange: text });
      cases.count();
      const body = { ...minimal, tools: [oneTool], tool_choice: 'required' };
      const exchange = await http.chat(body, { label: `a call on ${model}` });
      const { toolCalls } = judge.streamed(exchange, expected);
      must(toolCalls.length > 0, { ...expected, expected: 'a tool call', actual: 'none', exchange });
    }
  },
});

export const streamFlagDecides = defineCheck({
  id: 'sse.stream-flag.decides',
  title: 'stream true gives an event stream; false or no stream field gives a plain completion',
  requirements: ['SSE-019'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { target, newScene, rng, http, judge } = parts;
    for (const model of target.eachModel) {
      const body = newScene().minimal(model);
      const cases = [
        { label: 'without stream', more: {}, wanted: 'application/json' },
        { label: 'stream false', more: { stream: false }, wanted: 'application/json' },
        { label: 'stream true', more: { stream: true }, wanted: 'text/event-stream' },
      ];
      for (const { label, more, wanted } of cases) {
        parts.cases.count();
        // The Accept header does not decide.
        const accept = rng.pick(['*/*', 'application/json', 'text/event-stream']);
        const options = { label: `${model} ${label}`, headers: { accept } };
        const exchange = await http.chat({ ...body, ...more }, options);
        const type = mediaType(exchange) || '(no content type)';
        const rule = { requirement: 'SSE-019', aspect: 'form-follows-flag', exchange };
        const expected = `${wanted} (the caller accepts ${accept})`;
        // The answer's own rule judges its exact JSON type; here it only must not be a stream.
        const follows = wanted === 'text/event-stream' ? type === wanted : type !== 'text/event-stream';
        must(!isSuccess(exchange) || follows, { ...rule, expected, actual: type });
        if (wanted === 'application/json') judge.completed(exchange, { ...plainAccepted, model });
        else judge.streamed(exchange, { ...streamAccepted, model });
      }
    }
  },
});

const prompt =
  'Describe the sea as a JSON object with the members "colour" and "depth". Answer in JSON only.';

export const streamedJsonParses = defineCheck({
  id: 'sse.json-object.parses',
  title: 'with response_format json_object the joined text of a stream is a JSON object',
  requirements: ['SSE-021'],
  kind: 'example',
  needs: [],
  run: async ({ target, cases, newScene, http, judge }) => {
    for (const model of target.eachModel) {
      cases.count();
      const response_format = { type: 'json_object' };
      const body = { ...newScene().minimal(model, prompt), stream: true, response_format };
      const exchange = await http.chat(body, { label: model });
      const { content } = judge.streamed(exchange, { ...streamAccepted, model });
      const value = parseJson(content);
      const isObject = isJsonObject(value);
      const rule = { requirement: 'SSE-021', aspect: 'content-parses', exchange };
      const expected = 'a JSON object, once the fragments are joined';
      must(isObject, { ...rule, expected, actual: content.slice(0, 160) });
    }
  },
});

/** Unique words: a word that arrives proves that its delta arrived. */
const pieces = ['first-piece ', 'second-piece ', 'third-piece ', 'fourth-piece'];

/** How long a delta may take from the upstream to the client while the next one is held back, ms. */
const timeoutMs = 3_000;

const rule = { requirement: 'SSE-018', aspect: 'delta-by-delta' };

export const streamIsUnbuffered = defineCheck({
  id: 'sse.unbuffered',
  title: 'each delta reaches the client before the upstream sends the next one, compressed or not',
  requirements: ['SSE-018'],
  kind: 'timing',
  needs: ['upstream.control'],
  run: async (parts) => {
    await Promise.all(familyModels(parts.target).map((model) => streamSlowly(parts, model)));
    for (const model of familyModels(parts.target))
      await part(async () => {
        // A gateway that compresses has to flush after each delta.
        for (const encoding of ['identity', 'gzip']) await judgeAnswer(parts, model, encoding);
      });
  },
});

/** A slow stream without gates: its pace is judged with that of every stream. */
async function streamSlowly({ newScene, http, judge }: CheckParts, model: string): Promise<void> {
  const scene = newScene();
  await scene.script({ text: pieces.join(''), deltas: pieces, pacing: { each_ms: 200 } });
  const exchange = await http.chat({ ...scene.minimal(model), stream: true }, { label: `${model}, slowly` });
  judge.streamed(exchange, { ...rule, model });
}

async function judgeAnswer(
  { newScene, http, cases, judge }: CheckParts,
  model: string,
  encoding: string,
): Promise<void> {
  const scene = newScene();
  const last = pieces.length - 1;
  await scene.script({ text: pieces.join(''), deltas: pieces, gates: [1, 2, last, 'end'] });
  const headers = { 'accept-encoding': encoding };
  const label = `${model}, ${encoding}`;
  const live = http.openChat({ ...scene.minimal(model), stream: true }, { label, headers });
  for (const piece of pieces) {
    cases.count();
    const seen =
      (await scene.held(1)) &&
      (await live.until((body) => textSoFar(body).includes(piece.trim()), timeoutMs));
    if (!seen) {
      live.abort();
      const held = 'while the upstream holds back what follows';
      const expected = `${model}: "${piece.trim()}" within ${timeoutMs} ms, ${held}`;
      must(false, { ...rule, expected, actual: 'it arrives only with more', exchange: await live.done });
    }
    await scene.release();
  }
  judge.streamed(await live.done, { ...rule, model });
}
