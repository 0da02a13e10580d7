import { describe, expect, it } from 'vitest';
import type { AnswerKind, ChatDialectName, NativeAnswer } from '../../answers/native-answer.ts';
import type { Reply } from '../../control/protocol.ts';
import { faultFacts } from '../../fault-contract/known-faults.ts';
import { bodyOf, edited, givenAnswer } from '../../testing/given-answer.ts';
import { useSimulators } from '../../testing/simulators.ts';
import { filterPrompt } from './m1-filter-prompt.ts';
import { filterOutput } from './m2-filter-output.ts';
import { emptyMaxTokens } from './m3-gemini-empty-maxtokens.ts';
import { malformedCall } from './m4-malformed-call.ts';
import { cacheStreamPlace } from './m7-cache-stream-place.ts';
import { totalsDisagree } from './m10-totals-disagree.ts';
import { modelDrift } from './m11-model-drift.ts';
import { badArguments } from './m14-tool-json-bad.ts';

const simulators = useSimulators();

const given = (dialect: ChatDialectName, call: AnswerKind = 'plain'): Promise<NativeAnswer> =>
  givenAnswer(simulators, { dialect, call }, { deltas: ['Ebb ', 'and ', 'flow.'] });

const documentOf = (answer: NativeAnswer): Record<string, unknown> => JSON.parse(bodyOf(answer).toString());

describe('the native forms', () => {
  it('a blocked prompt is a 400, a refusal without content, or an answer without candidates', async () => {
    const chat = edited(filterPrompt, await given('chat-completions', 'stream'));
    expect(chat).toMatchObject({ status: 400, call: 'plain' });
    expect(documentOf(chat)).toMatchObject({ error: { code: 'content_policy_violation' } });
    expect(documentOf(edited(filterPrompt, await given('messages')))).toMatchObject({
      content: [],
      stop_reason: 'refusal',
      usage: { output_tokens: 0 },
    });
    const blocked = documentOf(edited(filterPrompt, await given('generate-content'), { form: 'blocklist' }));
    expect(blocked).toMatchObject({ promptFeedback: { blockReason: 'BLOCKLIST' } });
    expect(Object.keys(blocked)).not.toContain('candidates');
    expect(Object.keys(blocked.usageMetadata as object)).toEqual(['promptTokenCount', 'totalTokenCount']);
  });

  it('every form of a filtered output has its native reason', async () => {
    const answer = await given('generate-content');
    const forms = ['safety', 'recitation', 'blocklist', 'prohibited', 'personal-data'];
    const reasons = forms.map(
      (form) =>
        /"finishReason": "(\w+)"/.exec(bodyOf(edited(filterOutput, answer, { form })).toString())?.[1],
    );
    expect(reasons).toEqual(['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII']);
  });

  it('an answer of thoughts only has no candidate count', async () => {
    const document = documentOf(edited(emptyMaxTokens, await given('generate-content')));
    expect(document.usageMetadata).toEqual({
      promptTokenCount: 1706,
      thoughtsTokenCount: 2999,
      totalTokenCount: 4705,
    });
    expect(document.candidates).toEqual([
      { content: { role: 'model' }, finishReason: 'MAX_TOKENS', index: 0 },
    ]);
  });

  it('a malformed call is reported in the finish reason', async () => {
    const answer = await given('generate-content', 'stream');
    expect(bodyOf(edited(malformedCall, answer)).toString()).toMatch(
      /"finishReason":"MALFORMED_FUNCTION_CALL"/,
    );
    expect(bodyOf(edited(malformedCall, answer, { form: 'unexpected' })).toString()).toMatch(
      /"content":\{\},"finishReason":"UNEXPECTED_TOOL_CALL"/,
    );
  });

  it('cache counts appear only at the start of the stream', async () => {
    const body = bodyOf(edited(cacheStreamPlace, await given('messages', 'stream'))).toString();
    expect(body.match(/cache_read_input_tokens/g)).toHaveLength(1);
    expect(body).toContain('"usage":{"output_tokens":550}');
  });

  it('counts disagree, are negative or are huge', async () => {
    const usage = async (form: string): Promise<unknown> =>
      documentOf(edited(totalsDisagree, await given('chat-completions'), { form })).usage;
    expect(await usage('total')).toEqual({ prompt_tokens: 40, completion_tokens: 12, total_tokens: 1052 });
    expect(await usage('negative')).toMatchObject({ completion_tokens: -7, total_tokens: 33 });
    expect(await usage('huge')).toMatchObject({ completion_tokens: 1e12 });
  });

  it('another model is named in every chunk', async () => {
    for (const [dialect, member] of [
      ['chat-completions', 'model'],
      ['messages', 'model'],
      ['generate-content', 'modelVersion'],
    ] as const) {
      const body = bodyOf(edited(modelDrift, await given(dialect, 'stream'), { form: 'another' })).toString();
      const names = [...body.matchAll(new RegExp(`"${member}":"([^"]*)"`, 'g'))].map(([, name]) => name);
      expect(names.length).toBeGreaterThan(0);
      expect(new Set(names)).toEqual(new Set(['stand-in-model-2']));
    }
  });

  it('the facts script the same arguments that the fault sends', () => {
    const { reply } = faultFacts.get('M14') ?? {};
    expect((reply as Reply | undefined)?.tool_calls?.map((one) => one.arguments)).toEqual([badArguments]);
  });
});
