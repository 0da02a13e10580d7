import fc from 'fast-check';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { type RawGenerate, rawId, rawModel, replyOf } from '../../generators/compat/generate-reply.ts';
import { tokenCounts } from '../../generators/token-counts.ts';
import type { ExpectedGenerate, GenerateAnswer, GenerateUsage } from '../../oracle/compat/generate-answer.ts';
import { answerText } from '../../oracle/error-leaks.ts';
import { must } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { answeredB, callName, formsB, gammaModel, gammaModels } from './served.ts';

const requirement = 'COMPB-010';
const needs = ['compat.b', 'upstream.control'] as const;

export const finishReasons = defineCheck({
  id: 'compb.answer.finish',
  title: "an answer ends with STOP or MAX_TOKENS as the upstream's did, plain and streamed",
  requirements: [requirement],
  kind: 'upstream',
  needs,
  run: async (parts) => {
    for (const model of gammaModels(parts.target)) {
      for (const stream of await formsB(parts)) {
        for (const finish of ['STOP', 'MAX_TOKENS']) {
          const raw = { parts: [{ text: 'The sea ' }, { text: 'is wide' }], finish };
          const { answer, exchange } = await heard(parts, { model, stream, raw });
          judgeFinish(answer.finishReason, finish, exchange);
          must(answer.text === 'The sea is wide', {
            requirement,
            aspect: 'text-as-said',
            expected: '"The sea is wide"',
            actual: JSON.stringify(answer.text),
            exchange,
          });
        }
        await judgeLimit(parts, model, stream);
        // The gateway may replace the upstream's reason, but only with another text.
        const { answer } = await heard(parts, {
          model,
          stream,
          raw: { parts: [{ text: 'Ah.' }], finish: 'LANGUAGE' },
        });
        parts.judge.note(`LANGUAGE becomes ${answer.finishReason}`);
      }
    }
  },
});

export const usageVerbatim = defineCheck({
  id: 'compb.answer.usage',
  title: "usageMetadata repeats the upstream's counts, cached tokens and thoughts apart",
  requirements: [requirement],
  kind: 'property',
  needs,
  run: async (parts) => {
    const model = gammaModel(parts.target);
    const forms = await formsB(parts);
    await parts.cases.forAll(
      fc.tuple(tokenCounts('generate-content'), fc.integer({ min: 1, max: 3 })).map(([counts]) => counts),
      async (counts) => {
        const { prompt_tokens, completion_tokens, cached_tokens = 0, reasoning_tokens = 0 } = counts;
        const usage: Required<Omit<GenerateUsage, 'toolUsePromptTokenCount'>> = {
          promptTokenCount: prompt_tokens,
          candidatesTokenCount: completion_tokens - reasoning_tokens,
          totalTokenCount: prompt_tokens + completion_tokens,
          cachedContentTokenCount: cached_tokens,
          thoughtsTokenCount: reasoning_tokens,
        };
        for (const stream of forms) await judgeUsage(parts, model, stream, usage);
      },
      {
        quick: 12,
        full: 150,
        examples: [{ prompt_tokens: 1_237, completion_tokens: 89, cached_tokens: 64, reasoning_tokens: 40 }],
      },
    );
  },
});

export const namesAreOurs = defineCheck({
  id: 'compb.answer.names',
  title: 'an answer has the public model id and its own response id, and no upstream name',
  requirements: [requirement],
  kind: 'upstream',
  needs,
  run: async (parts) => {
    const { target, http, newScene, judge } = parts;
    for (const model of gammaModels(target)) {
      const name = target.profile.upstream?.native_models?.[model];
      const inside = [rawModel, ...(name === undefined || name === model ? [] : [name])];
      for (const stream of await formsB(parts)) {
        const raw = { parts: [{ text: 'The sea is wide.' }] };
        const { answer, exchange } = await heard(parts, { model, stream, raw });
        const plain = await http.compatB(model, newScene().minimalB(), {
          stream,
          label: callName(model, stream),
        });
        const other = answeredB(judge, plain, stream, { requirement, aspect: 'accepted', model });
        for (const seen of [exchange, plain]) judgeNames(seen, inside);
        if (answer.responseId === rawId) judge.note("responseId is the upstream's own");
        must(answer.responseId === null || answer.responseId !== other.responseId, {
          requirement,
          aspect: 'id-fresh',
          expected: 'an id of its own for each answer',
          actual: String(answer.responseId),
          exchange,
        });
      }
    }
  },
});

export const thoughtsKept = defineCheck({
  id: 'compb.answer.parts',
  title: 'thoughts, signatures and other parts of an answer come back unchanged and in place',
  requirements: [requirement],
  kind: 'upstream',
  needs,
  run: async (parts) => {
    const pieces = [
      { text: 'The question is about the sea.', thought: true },
      { text: 'The sea ' },
      { text: 'is wide.', thoughtSignature: 'c2VhLXNlYS1zZWE=' },
    ];
    for (const model of gammaModels(parts.target)) {
      for (const stream of await formsB(parts)) {
        const { answer, exchange } = await heard(parts, { model, stream, raw: { parts: pieces } });
        const thoughts = answer.parts.filter(({ thought }) => thought === true).map(({ text = '' }) => text);
        const signed = answer.parts.map(({ thoughtSignature }) => thoughtSignature).filter(Boolean);
        const shown = JSON.stringify(answer.parts).slice(0, 400);
        const own = { requirement, exchange, actual: shown };
        const expected = 'the text apart from the thought, which is marked or omitted';
        must(answer.text === 'The sea is wide.', { ...own, aspect: 'thoughts-apart', expected });
        // A gateway may omit thoughts, but not turn them into something else.
        must(thoughts.length === 0 || thoughts.join('') === pieces[0]?.text, {
          ...own,
          aspect: 'thoughts-apart',
          expected: 'the thought unchanged',
        });
        must(signed.length === 1 && signed[0] === pieces[2]?.thoughtSignature, {
          ...own,
          aspect: 'signature-kept',
          expected: 'the thoughtSignature of the upstream, which must get it back',
        });
        await judgeOrder(parts, model, stream);
      }
    }
  },
});

/** Makes a call whose upstream is scripted with these native parts. */
async function heard(
  { cases, newScene, http, judge }: CheckParts,
  { model, stream, raw }: { model: string; stream: boolean; raw: RawGenerate },
  more: Partial<ExpectedGenerate> = {},
): Promise<{ answer: GenerateAnswer; exchange: Exchange }> {
  cases.count();
  const scene = newScene();
  await scene.script(replyOf(raw, stream));
  const label = `${callName(model, stream)}, ending with ${raw.finish ?? 'STOP'}`;
  const exchange = await http.compatB(model, scene.minimalB(), { stream, label });
  const expected = { requirement, aspect: 'accepted', model, ...more };
  return { answer: answeredB(judge, exchange, stream, expected), exchange };
}

/** Calls keep the upstream's order: before, between and after texts. */
async function judgeOrder(parts: CheckParts, model: string, stream: boolean): Promise<void> {
  const call = (word: string): object => ({ functionCall: { name: 'look_up', args: { word } } });
  const said = [call('sea'), { text: 'One. ' }, { text: 'Two. ' }, call('tide'), { text: 'Three.' }];
  const expected = 'call sea, One. Two. , call tide, Three.';
  const { answer, exchange } = await heard(parts, { model, stream, raw: { parts: said } });
  const seen: string[] = [];
  let wasText = false;
  for (const { text, functionCall } of answer.parts) {
    if (functionCall !== undefined) {
      seen.push(`call ${(functionCall.args as { word?: string } | undefined)?.word}`);
      wasText = false;
    } else if (text !== undefined && text !== '') {
      seen.push(wasText ? `${seen.pop()}${text}` : text);
      wasText = true;
    }
  }
  const actual = seen.join(', ');
  must(actual === expected, { requirement, aspect: 'parts-in-order', expected, actual, exchange });
}

/** The caller's limit, which the upstream obeys. */
async function judgeLimit(
  { cases, newScene, http, judge }: CheckParts,
  model: string,
  stream: boolean,
): Promise<void> {
  cases.count();
  const scene = newScene();
  await scene.script({ text: 'one two three four five six seven eight nine ten' });
  const body = { ...scene.minimalB(), generationConfig: { maxOutputTokens: 3 } };
  const label = `${callName(model, stream)}, with maxOutputTokens 3`;
  const exchange = await http.compatB(model, body, { stream, label });
  const answer = answeredB(judge, exchange, stream, { requirement, aspect: 'accepted', model });
  judgeFinish(answer.finishReason, 'MAX_TOKENS', exchange);
  must((answer.usage.candidatesTokenCount ?? 0) <= 3, {
    requirement,
    aspect: 'usage-verbatim',
    expected: 'candidatesTokenCount of at most 3',
    actual: JSON.stringify(answer.usage),
    exchange,
  });
}

function judgeFinish(actual: string, expected: string, exchange: Exchange): void {
  must(actual === expected, {
    requirement,
    aspect: 'finish-as-said',
    expected: `finishReason ${expected}`,
    actual,
    exchange,
  });
}

async function judgeUsage(
  parts: CheckParts,
  model: string,
  stream: boolean,
  usage: GenerateUsage,
): Promise<void> {
  const raw = { parts: [{ text: 'Counted elsewhere.' }], usage: { ...usage, trafficType: 'ON_DEMAND' } };
  const { answer, exchange } = await heard(parts, { model, stream, raw }, { uncounted: true });
  for (const [name, count] of Object.entries(usage)) {
    const seen = answer.usage[name as keyof GenerateUsage] ?? 0;
    const expected = `${name} ${count}, as the upstream counted`;
    const actual = JSON.stringify(answer.usage);
    must(seen === count, { requirement, aspect: 'usage-verbatim', expected, actual, exchange });
  }
}

function judgeNames(exchange: Exchange, inside: readonly string[]): void {
  const text = answerText(exchange);
  const found = inside.find((name) => text.includes(name));
  const expected = 'no upstream name of the model';
  const actual = `${found} in the answer`;
  must(found === undefined, { requirement, aspect: 'model-public', expected, actual, exchange });
}
