import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { type CallPart, callExamples, callParts } from '../../generators/compat/generate-calls.ts';
import { oneEventReply, plainReply, replyOf, streamReply } from '../../generators/compat/generate-reply.ts';
import { functionNames } from '../../generators/compat/generate-tools.ts';
import type { GeneratePart } from '../../oracle/compat/generate-answer.ts';
import { valueDifference } from '../../oracle/compat/same-json.ts';
import { must } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { readSse } from '../../wire/sse.ts';
import {
  answeredB,
  atUpstream,
  callName,
  formsB,
  gammaModel,
  gammaModels,
  judgeUnchanged,
} from './served.ts';

const requirement = 'COMPB-005';

const tools = [
  {
    functionDeclarations: functionNames.map((name) => ({
      name,
      description: 'Knows the sea.',
      parameters: { type: 'OBJECT', properties: { word: { type: 'STRING' } } },
    })),
  },
];

export const callsUnchanged = defineCheck({
  id: 'compb.calls.unchanged',
  title: 'function calls of the upstream come back unchanged and in order, plain and streamed',
  requirements: [requirement],
  kind: 'property',
  needs: ['compat.b', 'upstream.control'],
  run: async (parts) => {
    const forms = await formsB(parts);
    await parts.cases.forAll(
      callParts,
      async (pieces) => {
        for (const stream of forms) await judgeCalls(parts, pieces, stream);
      },
      { quick: 12, full: 150, examples: callExamples },
    );
  },
});

export const historyArrives = defineCheck({
  id: 'compb.calls.history',
  title: 'a function call, its signature and its response in the history reach the upstream',
  requirements: [requirement, 'COMPB-006'],
  kind: 'upstream',
  needs: ['compat.b', 'upstream.control'],
  run: async (parts) => {
    for (const model of gammaModels(parts.target)) {
      for (const stream of await formsB(parts)) {
        parts.cases.count();
        const pieces = await callOf(parts, model, stream);
        const responses = pieces.flatMap(({ functionCall: call }) =>
          call === undefined ? [] : [{ functionResponse: responseTo(call) }],
        );
        const turns = [
          { role: 'model', parts: pieces },
          { role: 'user', parts: responses },
        ];
        await judgeHistory(parts, { model, stream, turns });
      }
    }
  },
});

/** A stream may also put everything into one event. */
async function judgeCalls(
  { newScene, http, target, judge }: CheckParts,
  pieces: readonly CallPart[],
  stream: boolean,
): Promise<void> {
  const raw = { parts: [{ text: 'Let me see. ' }, ...pieces] };
  for (const reply of stream ? [streamReply(raw), oneEventReply(raw)] : [plainReply(raw)]) {
    const model = gammaModel(target);
    const scene = newScene();
    await scene.script(reply);
    const options = { stream, label: callName(model, stream) };
    const exchange = await http.compatB(model, { ...scene.minimalB(), tools }, options);
    judgeSaid(judge, { exchange, model, stream, pieces });
  }
}

function judgeSaid(
  judge: Judge,
  said: { exchange: Exchange; model: string; stream: boolean; pieces: readonly CallPart[] },
): void {
  const { exchange, model, stream, pieces } = said;
  const answer = answeredB(judge, exchange, stream, { requirement, aspect: 'calls-answered', model });
  const expected = 'the finishReason of the upstream, STOP';
  const actual = answer.finishReason;
  must(answer.finishReason === 'STOP', { requirement, aspect: 'calls-finish', expected, actual, exchange });
  must(answer.text === 'Let me see. ', {
    requirement,
    aspect: 'text-beside-calls',
    expected: 'the text before the calls',
    actual: JSON.stringify(answer.text),
    exchange,
  });
  const seen = exactParts(exchange, stream).filter((part) => 'functionCall' in part);
  must(seen.length === pieces.length, {
    requirement,
    aspect: 'calls-all',
    expected: `${pieces.length} function calls`,
    actual: JSON.stringify(seen).slice(0, 300),
    exchange,
  });
  for (const [at, part] of pieces.entries()) judgeCall(part, seen[at] ?? {}, exchange);
}

/** Where the upstream gave no id, the gateway may add its own. */
function judgeCall(sent: CallPart, seen: Record<string, unknown>, exchange: Exchange): void {
  const { functionCall: call = {}, thoughtSignature } = seen as {
    functionCall?: object;
    thoughtSignature?: unknown;
  };
  const { id: _, ...rest } = call as { id?: unknown };
  // Empty arguments and absent arguments are the same.
  const compared = { args: {}, ...(sent.functionCall.id === undefined ? rest : call) };
  const found = valueDifference({ args: {}, ...sent.functionCall }, compared, 'functionCall');
  const expected = `${found?.path} as the upstream sent it: ${found?.expected}`;
  const actual = found?.actual ?? '';
  must(found === null, { requirement, aspect: 'call-unchanged', expected, actual, exchange });
  must(sent.thoughtSignature === thoughtSignature, {
    requirement,
    aspect: 'signature-kept',
    expected: `thoughtSignature ${sent.thoughtSignature ?? '(none)'}`,
    actual: String(thoughtSignature ?? '(none)'),
    exchange,
  });
}

/** The parts of an answer with every digit of their numbers, which JSON.parse would lose. */
function exactParts(exchange: Exchange, stream: boolean): Record<string, unknown>[] {
  const body = exchange.response?.body ?? Buffer.alloc(0);
  const texts = stream ? readSse(body).events.map(({ data }) => data) : [body.toString('utf8')];
  return texts.flatMap((text) => partsOf(withRawNumbers(text)));
}

function partsOf(body: unknown): Record<string, unknown>[] {
  const { candidates } = body as { candidates?: { content?: { parts?: Record<string, unknown>[] } }[] };
  return candidates?.[0]?.content?.parts ?? [];
}

/** Parses JSON so that its numbers print again as they were written. */
function withRawNumbers(text: string): unknown {
  const { parse, rawJSON } = JSON as unknown as {
    parse(
      source: string,
      reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown;
    rawJSON(source: string): unknown;
  };
  return parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source ? rawJSON(source) : value,
  );
}

/** Calls a lenient upstream once, to detect a loss as such, and then a strict one. */
async function judgeHistory(
  { newScene, http, judge }: CheckParts,
  { model, stream, turns }: { model: string; stream: boolean; turns: readonly object[] },
): Promise<void> {
  for (const looks of [false, true]) {
    const scene = newScene();
    if (!looks) await scene.script(replyOf({ parts: [{ text: 'I see.' }] }, stream));
    const body: JsonObject = { contents: [...scene.minimalB().contents, ...turns], tools };
    const label = `${callName(model, stream)}, with history`;
    const exchange = await http.compatB(model, body, { stream, label });
    answeredB(judge, exchange, stream, { requirement, aspect: 'history-accepted', model });
    const native = await atUpstream(scene, requirement, exchange);
    judgeUnchanged('contents', { body, native, exchange }, { requirement, aspect: 'history-unchanged' });
  }
}

/** The parts of a turn with two function calls, as the caller got them. */
async function callOf(
  { newScene, http, judge }: CheckParts,
  model: string,
  stream: boolean,
): Promise<readonly GeneratePart[]> {
  const scene = newScene();
  await scene.script({
    tool_calls: [
      { name: 'look_up', arguments: '{"word":"sea","many":[1,null,{"deep":true}]}' },
      { name: '_tide', arguments: '{}' },
    ],
  });
  const exchange = await http.compatB(
    model,
    { ...scene.minimalB(), tools },
    { stream, label: callName(model, stream) },
  );
  const { parts } = answeredB(judge, exchange, stream, { requirement, aspect: 'calls-answered', model });
  const said = parts.filter((part) => part.functionCall !== undefined);
  must(said.length === 2 && said.some(({ thoughtSignature }) => typeof thoughtSignature === 'string'), {
    requirement,
    aspect: 'signature-kept',
    expected: 'two function calls, the first with its upstream signature',
    actual: JSON.stringify(said).slice(0, 300),
    exchange,
  });
  return said;
}

function responseTo({ id, name }: { id?: string; name: string }): object {
  const response = { result: `of ${name}`, list: [1, null, { nested: 'yes' }], n: 1.25 };
  return { ...(id === undefined ? {} : { id }), name, response };
}
