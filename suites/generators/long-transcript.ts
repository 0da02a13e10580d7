import fc from 'fast-check';
import { callOf, threeTools } from '../oracle/sample-tools.ts';
import type { Turn } from './transcript.ts';
import { unicodeText } from './unicode-text.ts';

/** A whole conversation of 1 to 30 messages. One user message is the prompt, whose text the case sets. */
export interface LongTranscript {
  readonly messages: readonly Turn[];
  /** The index of the prompt among the messages. */
  readonly promptAt: number;
}

export const maxTurns = 30;

/**
 * One step of the model within its turn: parallel calls, with or without text, and the order of their results.
 */
interface Step {
  readonly text: string | null;
  readonly results: readonly string[];
  readonly backwards: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  text: fc.option(fc.oneof(unicodeText, fc.constant('')), { nil: null }),
  results: fc.array(unicodeText, { minLength: 1, maxLength: 4 }),
  backwards: fc.boolean(),
});

/** A question, the steps before its answer, and the answer. */
const round = fc.record({
  question: unicodeText,
  steps: fc.array(step, { maxLength: 2 }),
  answer: unicodeText,
});

/**
 * Legal conversations of up to 30 messages: an optional system message, then rounds.
 * A round is a question, one or two steps of tool calls with their results, and an answer.
 * The last round ends with its question or with its results. Calls use the three sample tools, which the
 * request must define.
 */
export const longTranscript: fc.Arbitrary<LongTranscript> = fc
  .record({
    system: fc.option(unicodeText, { nil: null }),
    rounds: fc.array(round, { maxLength: 12 }),
    last: fc.array(step, { maxLength: 2 }),
    turns: fc.integer({ min: 1, max: maxTurns }),
  })
  .map(({ system, rounds, last, turns }) => {
    const opening: Turn[] = system === null || turns === 1 ? [] : [{ role: 'system', content: system }];
    const ending = (place: number): Turn[] => [{ role: 'user', content: '' }, ...stepsOf(last, `${place}`)];
    const room = turns - opening.length;
    const shown = ending(0).length <= room ? ending : () => [{ role: 'user', content: '' }];
    const messages = [...opening];
    for (const [place, { question, steps, answer }] of rounds.entries()) {
      const next = [
        { role: 'user', content: question },
        ...stepsOf(steps, `r${place}`),
        { role: 'assistant', content: answer },
      ];
      if (messages.length + next.length + shown(0).length <= turns) messages.push(...next);
    }
    return { messages: [...messages, ...shown(99)], promptAt: messages.length };
  });

/** A conversation of exactly 30 messages with every role, and one of the minimal single message. */
export const extremeTranscripts: readonly LongTranscript[] = [
  { messages: [{ role: 'user', content: '' }], promptAt: 0 },
  longest(),
];

function longest(): LongTranscript {
  const three = (tag: string): Turn[] =>
    stepsOf([{ text: null, results: ['a', 'b', 'c'], backwards: true }], tag);
  const rounds = Array.from({ length: 4 }, (_, place): Turn[] => [
    { role: 'user', content: `Question ${place}?` },
    ...three(`x${place}`),
    { role: 'assistant', content: `Answer ${place}.` },
  ]);
  const before = [{ role: 'system', content: 'Be brief.' }, ...rounds.flat()];
  return { messages: [...before, { role: 'user', content: '' }, ...three('last')], promptAt: before.length };
}

function stepsOf(steps: readonly Step[], tag: string): Turn[] {
  return steps.flatMap(({ text, results, backwards }, place) => {
    const calls = results.map((_, index) => {
      const tool = threeTools[index % threeTools.length];
      return callOf(
        `call_${tag}_${place}_${index}`,
        tool?.function.name,
        JSON.stringify({ word: `w${index}` }),
      );
    });
    const answered = results.map((content, index) => ({
      role: 'tool',
      tool_call_id: calls[index]?.id,
      content,
    }));
    return [
      { role: 'assistant', content: text, tool_calls: calls },
      ...(backwards ? answered.toReversed() : answered),
    ];
  });
}

/** The messages, with this text as the prompt. */
export function withPrompt({ messages, promptAt }: LongTranscript, prompt: string): Turn[] {
  return messages.map((turn, index) => (index === promptAt ? { ...turn, content: prompt } : turn));
}
