import { isDeepStrictEqual } from 'node:util';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import {
  blockText,
  type NativeMessage,
  nativeMessages,
  plainMessage,
  streamedMessage,
} from '../../generators/compat/native-blocks.ts';
import type { MessageAnswer } from '../../oracle/compat/messages-answer.ts';
import { answerText } from '../../oracle/error-leaks.ts';
import { type Json, objectOf, readJson } from '../../oracle/native/json.ts';
import { advise, must } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { answered, betaModel, streamsHere } from './message-calls.ts';

const tool = (name: string): object => ({
  name,
  description: 'Looks a word up.',
  input_schema: { type: 'object', properties: { word: { type: 'string' } } },
});
const tools = ['look_up', 'translate', 'spell'].map(tool);

const usage = { input_tokens: 12, output_tokens: 7 };
const call = (input: string, id = 'toolu_one'): NativeMessage['blocks'][number] => ({
  type: 'tool_use',
  id,
  name: 'look_up',
  input,
});

const examples: readonly NativeMessage[] = [
  { blocks: [{ type: 'text', text: 'The sea.' }], stopReason: 'end_turn', stopSequence: null, usage },
  { blocks: [{ type: 'text', text: 'Cut off' }], stopReason: 'max_tokens', stopSequence: null, usage },
  { blocks: [{ type: 'text', text: 'Up to ' }], stopReason: 'stop_sequence', stopSequence: '\n### ', usage },
  {
    blocks: [{ type: 'text', text: 'I look it up.' }, call('{"n":9007199254740993,"x":1e-7,"s":"\\u00e9"}')],
    stopReason: 'tool_use',
    stopSequence: null,
    usage,
  },
  {
    blocks: [call('{}'), call('{"word":"sea"}', 'toolu_two'), { type: 'text', text: 'Both.' }],
    stopReason: 'tool_use',
    stopSequence: null,
    usage,
  },
  {
    blocks: [{ type: 'text', text: 'One. ' }, call('{}'), { type: 'text', text: 'Behind it.' }],
    stopReason: 'tool_use',
    stopSequence: null,
    usage,
  },
  {
    blocks: [
      { type: 'thinking', thinking: 'Where is it?', signature: 'c2lnbmF0dXJl' },
      { type: 'text', text: 'One. ' },
      { type: 'text', text: 'Two.' },
    ],
    stopReason: 'end_turn',
    stopSequence: null,
    usage,
  },
  { blocks: [], stopReason: 'end_turn', stopSequence: null, usage: { ...usage, output_tokens: 1 } },
];

export const answersComeBack = defineCheck({
  id: 'compa.answer.blocks',
  title: 'the blocks and stop reason of a native answer come back as the upstream gave them',
  requirements: ['COMPA-010', 'COMPA-005', 'COMPA-016'],
  kind: 'property',
  needs: ['compat.a', 'upstream.control'],
  run: async (parts) => {
    const streams = await streamsHere(parts);
    await parts.cases.forAll(
      nativeMessages,
      async (message) => {
        await judgeAnswer(parts, message, false);
        if (streams) await judgeAnswer(parts, message, true);
      },
      { quick: 15, examples: examples },
    );
  },
});

async function judgeAnswer(
  { newScene, rng, http, target, cases, judge }: CheckParts,
  message: NativeMessage,
  stream: boolean,
): Promise<void> {
  const model = betaModel(target);
  const scene = newScene();
  const identity = { id: `msg_up${rng.hex(16)}`, model: `native-${rng.hex(10)}` };
  await scene.script((stream ? streamedMessage : plainMessage)(message, identity));
  const body = {
    ...scene.minimalA(model),
    max_tokens: 4_000,
    stop_sequences: ['###'],
    tools,
    ...(stream ? { stream } : {}),
  };
  const exchange = await http.compatA(body, { label: `a native answer${stream ? ', streamed' : ''}` });
  const rule = { requirement: 'COMPA-010', aspect: 'native-answer-served' };
  const answer = answered(cases, exchange, body, rule);
  judgeBlocks(judge, message, answer, exchange);
  judgeEnding(message, answer, exchange);
  const seen = answerText(exchange);
  // The text shows no form of these ids (reading B-89), so this is advice.
  advise(!Object.values(identity).some((word) => seen.includes(word)), {
    requirement: 'COMPA-010',
    aspect: 'identity-neutral',
    expected: "an answer without the upstream's id and model name",
    actual: `${JSON.stringify(identity)} is in it`,
    exchange,
  });
}

/** Text and calls come back as they are and in order. Thoughts should too, because the next request repeats them. */
function judgeBlocks(judge: Judge, message: NativeMessage, answer: MessageAnswer, exchange: Exchange): void {
  const given = message.blocks.map((block) => objectOf(readJson(blockText(block))));
  const isErrorReported = ({ type }: Json): boolean => type === 'text' || type === 'tool_use';
  const [wanted, found] = [
    joined(given.filter(isErrorReported)),
    joined(answer.content.filter(isErrorReported)),
  ];
  const texts = (blocks: readonly Json[]): unknown[] =>
    blocks.filter(({ type }) => type === 'text').map(({ text }) => text);
  must(isDeepStrictEqual(texts(found), texts(wanted)), {
    requirement: 'COMPA-010',
    aspect: 'text-unchanged',
    expected: JSON.stringify(texts(wanted)),
    actual: JSON.stringify(texts(found)),
    exchange,
  });
  must(isDeepStrictEqual(found.map(plain), wanted.map(plain)), {
    requirement: 'COMPA-005',
    aspect: 'tool-use-comes-back',
    expected: JSON.stringify(wanted),
    actual: JSON.stringify(found),
    exchange,
  });
  const thoughts = (blocks: readonly Json[]): Json[] => blocks.filter((block) => !isErrorReported(block));
  const [meant, reported] = [thoughts(given), thoughts(answer.content)];
  if (isDeepStrictEqual(reported, meant)) return;
  const finding = {
    requirement: 'COMPA-010',
    aspect: 'thoughts-come-back',
    expected: JSON.stringify(meant),
    actual: JSON.stringify(reported),
    exchange,
  };
  must(reported.length === 0, finding);
  judge.advise(finding);
}

/** Joins neighbouring texts and drops empty ones: where a text is cut into blocks means nothing. */
function joined(blocks: readonly Json[]): Json[] {
  const whole: Json[] = [];
  for (const block of blocks) {
    const last = whole.at(-1);
    if (block.type === 'text' && last?.type === 'text')
      whole[whole.length - 1] = { ...last, text: `${String(last.text)}${String(block.text)}` };
    else if (block.type !== 'text' || block.text !== '') whole.push(block);
  }
  return whole;
}

/** The native members of a block, without members that a gateway adds. */
function plain({ type, text, id, name, input }: Json): Json {
  return type === 'text' ? { type, text } : { type, id, name, input };
}

function judgeEnding(message: NativeMessage, answer: MessageAnswer, exchange: Exchange): void {
  const { stopReason, stopSequence } = message;
  must(answer.stopReason === stopReason && (stopSequence === null || answer.stopSequence === stopSequence), {
    requirement: 'COMPA-010',
    aspect: 'stop-reason-verbatim',
    expected: `stop_reason ${stopReason}, stop_sequence ${JSON.stringify(stopSequence)}`,
    actual: `stop_reason ${answer.stopReason}, stop_sequence ${JSON.stringify(answer.stopSequence)}`,
    exchange,
  });
  for (const name of ['input_tokens', 'output_tokens']) {
    must(answer.usage[name] === message.usage[name], {
      requirement: 'COMPA-016',
      aspect: 'usage-verbatim',
      expected: JSON.stringify(message.usage),
      actual: JSON.stringify(answer.usage),
      exchange,
    });
  }
}
