import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { type NativeMessage, plainMessage, streamedMessage } from '../../generators/compat/native-blocks.ts';
import { type NativeRequest, withMarker } from '../../generators/compat/native-request.ts';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import { image, lookUp, result, use } from '../../oracle/compat/sample-blocks.ts';
import { mayBeRefused, rowsOfArrival } from './arrival.ts';
import { answered, arrivedAsSent, betaModels, paramIn, refused, refusesStream } from './message-calls.ts';

interface RichCase {
  readonly label: string;
  readonly members: NativeRequest['members'];
  /** Prefixes of `param` for parts that a deployment may refuse, because the specification does not name them. */
  readonly mayRefuse: readonly string[];
}

const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } };
const short = { cache_control: { type: 'ephemeral' } };
const text = (said: string, more: object = {}): object => ({ type: 'text', text: said, ...more });
const user = (content: unknown): object => ({ role: 'user', content });
const assistant = (content: unknown): object => ({ role: 'assistant', content });

const thoughts = [
  { type: 'thinking', thinking: 'Where is it? é 漢', signature: 'c2lnbmF0dXJl+/==' },
  { type: 'redacted_thinking', data: 'aGlkZGVu' },
];

/** Far longer than any single read or write. */
const long = 'The sea is wide, and nobody knows why. '.repeat(3_500);

const document = {
  type: 'document',
  source: { type: 'text', media_type: 'text/plain', data: 'The sea is wide.' },
  title: 'Of the sea',
  context: 'From an old book.',
  citations: { enabled: true },
  ...short,
};

const reply: NativeMessage = {
  blocks: [{ type: 'text', text: 'Indeed.' }],
  stopReason: 'end_turn',
  stopSequence: null,
  usage: { input_tokens: 12, output_tokens: 3 },
};

export const richRequestsArrive = defineCheck({
  id: 'compa.request.rich',
  title: 'long native requests with many features reach the upstream unchanged on every beta model',
  requirements: rowsOfArrival,
  kind: 'upstream',
  needs: ['compat.a', 'upstream.control'],
  run: async (parts) => {
    for (const model of betaModels(parts.target)) {
      for (const one of casesFor(chatModel(model)?.vision === true)) {
        for (const stream of [false, true]) await judgeRich(parts, model, one, stream);
      }
    }
  },
});

/** One request with everything that the specification mentions. It finds defects that need two features together. */
function everything(sees: boolean): NativeRequest['members'] {
  const pictures = sees ? [image()] : [];
  return {
    max_tokens: 30_000,
    system: [text('You speak of the sea\nalone.'), text('Be brief.', hour)],
    tools: [{ ...lookUp, name: 'spell', description: 'Spells.' }, lookUp],
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    temperature: 0.25,
    stop_sequences: ['###', '\n\nHuman:'],
    messages: [
      user([...pictures, text('What is this?')]),
      assistant([text('I look it up.'), use('toolu_1', '{"n":9007199254740993}'), use('toolu_2', '{}')]),
      user([
        result('toolu_2', { content: [text('Not found.', short), ...pictures], is_error: true }),
        result('toolu_1', { content: 'Water.' }),
        text('Go on.'),
      ]),
    ],
  };
}

function casesFor(sees: boolean): RichCase[] {
  const all = everything(sees);
  const plain = { max_tokens: 64 };
  return [
    { label: 'everything at once', members: all, mayRefuse: [] },
    {
      label: 'steered in every way',
      members: {
        ...all,
        top_k: 40,
        metadata: { user_id: 'user-7f3c-and-a-long-name' },
        thinking: { type: 'disabled' },
      },
      mayRefuse: mayBeRefused,
    },
    {
      label: 'thoughts without calls',
      members: { ...plain, messages: [user('Why?'), assistant([...thoughts, text('So.')]), user('Go on.')] },
      mayRefuse: [],
    },
    {
      label: 'long texts',
      members: {
        ...plain,
        tools: [lookUp],
        system: `${long}At the end.`,
        messages: [
          user([text(`${long}Here too.`)]),
          assistant([use('toolu_1', '{}')]),
          user([result('toolu_1', { content: `${long}And here.` })]),
        ],
      },
      mayRefuse: [],
    },
    {
      label: 'a document in text',
      members: { ...plain, messages: [user([document, text('What does it say?')])] },
      mayRefuse: ['messages', 'null'],
    },
    {
      label: 'six stop sequences',
      members: {
        ...plain,
        stop_sequences: ['#a', '#b', '#c', '#d', '#e', '#f'],
        messages: [user('Go on.')],
      },
      mayRefuse: ['stop_sequences'],
    },
    {
      label: 'a temperature of 1.5',
      members: { ...plain, temperature: 1.5, messages: [user('Go on.')] },
      mayRefuse: ['temperature'],
    },
  ];
}

async function judgeRich(
  { newScene, rng, http, cases, judge }: CheckParts,
  model: string,
  one: RichCase,
  stream: boolean,
): Promise<void> {
  const scene = newScene();
  // A lenient upstream, so that only the gateway can refuse.
  const identity = { id: `msg_up${rng.hex(16)}`, model: `native-${rng.hex(10)}` };
  await scene.script((stream ? streamedMessage : plainMessage)(reply, identity));
  const request: NativeRequest = { members: one.members, hasImage: false };
  const body: JsonObject = {
    ...withMarker(request, model, scene.marker),
    ...(stream ? { stream } : {}),
  };
  const label = `${one.label} on ${model}${stream ? ', streamed' : ''}`;
  const exchange = await http.compatA(body, { label });
  if (stream && refusesStream(judge, exchange)) return;
  const param = String(paramIn(exchange));
  if (exchange.response?.status === 400 && one.mayRefuse.some((begin) => param.startsWith(begin))) {
    cases.count();
    const codes = ['invalid_param', 'unsupported_capability'] as const;
    refused(judge, exchange, { requirement: 'COMPA-002', aspect: 'refused', codes });
    judge.note(`refuses ${one.label} (reading B-92)`);
    return;
  }
  answered(cases, exchange, body, { requirement: 'COMPA-003', aspect: 'request-served' });
  await arrivedAsSent(scene, body, exchange, 'COMPA-021');
}
