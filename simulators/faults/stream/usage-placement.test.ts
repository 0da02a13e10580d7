import { describe, expect, it } from 'vitest';
import { type ChatDialectName, chatDialectNames, type NativeAnswer } from '../../answers/native-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { bodyOf, edited, givenAnswer } from '../../testing/given-answer.ts';
import { useSimulators } from '../../testing/simulators.ts';
import { openAnswer } from '../native/open-answer.ts';
import { usageLast } from './s13-usage-last.ts';
import { usageOnContent } from './s14-usage-on-content.ts';
import { usageEveryChunk } from './s15-usage-every-chunk.ts';
import { usageNever } from './s16-usage-never.ts';
import { usageZero } from './s17-usage-zero.ts';

const simulators = useSimulators();

const reply = { deltas: ['Ebb ', 'and ', 'flow.'], usage: { prompt_tokens: 1431, completion_tokens: 29 } };

const given = (dialect: ChatDialectName): Promise<NativeAnswer> =>
  givenAnswer(simulators, { dialect, call: 'stream' }, reply);

/** The frames with output counts, and the counts: `finish 29`. */
async function outputs(
  fault: Fault,
  dialect: ChatDialectName,
  form: string | null = null,
): Promise<string[]> {
  const answer = edited(fault, await given(dialect), { form });
  return openAnswer(answer).flatMap(({ label, events }) =>
    events.flatMap(({ data }) => {
      const [, count] =
        /"(?:completion_tokens|output_tokens|candidatesTokenCount)":(-?\d+)/.exec(JSON.stringify(data)) ?? [];
      return count === undefined ? [] : [`${label} ${count}`];
    }),
  );
}

describe('the counts of a stream', () => {
  it('come last, in a chunk of their own', async () => {
    expect(await outputs(usageLast, 'chat-completions')).toEqual(['usage 29']);
    expect(await outputs(usageLast, 'generate-content')).toEqual(['usage 29']);
    const last = edited(usageLast, await given('generate-content')).frames.find(
      ({ label }) => label === 'usage',
    );
    expect(last?.bytes.toString()).not.toContain('candidates"');
  });

  it('come with the ending or with the last of the text, and nowhere else', async () => {
    for (const dialect of ['chat-completions', 'generate-content'] as const) {
      expect(await outputs(usageOnContent, dialect, 'on-finish')).toEqual(['finish 29']);
      expect(await outputs(usageOnContent, dialect, 'on-last-delta')).toEqual(['delta-2 29']);
    }
  });

  it.each([
    ['chat-completions', [], 'usage'],
    ['messages', ['role 1'], 'finish'],
    ['generate-content', [], 'finish'],
  ] as const)('grow with the content of %s', async (dialect, before, last) => {
    const growing = ['delta-0 1', 'delta-1 2', 'delta-2 3'];
    expect(await outputs(usageEveryChunk, dialect, 'every-chunk')).toEqual([
      ...before,
      ...growing,
      `${last} 29`,
    ]);
    expect(await outputs(usageEveryChunk, dialect, 'partial-then-final')).toEqual([
      ...before,
      'delta-0 1',
      `${last} 29`,
    ]);
  });

  it.each(chatDialectNames)('are missing, or all zero, in %s', async (dialect) => {
    const without = bodyOf(edited(usageNever, await given(dialect))).toString();
    expect(without).not.toMatch(/usage/i);
    const counts = bodyOf(edited(usageZero, await given(dialect))).toString();
    expect(new Set(counts.match(/(?<=[Tt]oken(?:s|Count)":)\d+/g))).toEqual(new Set(['0']));
  });
});
