import type { Reply } from 'gatecheck-simulators/client';
import type { Dialect } from '../profile/dialects.ts';
import { asStream, defaultCounts, type NativeAnswer } from './native/answer.ts';
import { native } from './native-answer.ts';

/** A complete and correct answer, in a less usual form that its dialect allows. */
export interface AnswerForm {
  readonly label: string;
  readonly content: string;
  /** The arguments as values. */
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly completionTokens: number;
  readonly finish?: 'length' | undefined;
  /** Whether no document of the dialect has this form, so that a clean refusal is acceptable too. */
  readonly isOdd: boolean;
  /** Null when only streams have the form. */
  readonly plain: Reply | null;
  /** Null when only plain answers have the form. */
  readonly stream: Reply | null;
}

type Json = Readonly<Record<string, unknown>>;

/** The text and the calls of an answer; the writer adds the rest. */
interface Said {
  readonly label: string;
  readonly content?: string;
  readonly calls?: AnswerForm['calls'];
  readonly finish?: 'length';
  readonly isOdd?: boolean;
}

export function answerForms(dialect: Dialect): readonly AnswerForm[] {
  return [...forms[dialect](), behindMark(dialect)];
}

const forms: Readonly<Record<Dialect, () => AnswerForm[]>> = {
  'chat-completions': chatForms,
  messages: messagesForms,
  'generate-content': generateForms,
};

function form(
  { label, content = '', calls = [], finish, isOdd = false }: Said,
  plain: Reply | null,
  ...events: readonly string[]
): AnswerForm {
  const { completion_tokens: completionTokens } = defaultCounts;
  const stream = events.length === 0 ? null : asStream(events);
  return { label, content, calls, completionTokens, finish, isOdd, plain, stream };
}

/** JSON after a byte order mark. Writers must not send one, and readers may ignore it (RFC 8259, 8.1). */
function behindMark(dialect: Dialect): AnswerForm {
  const content = 'Salt water.';
  const body = `\uFEFF${JSON.stringify(bodyOf(dialect, { text: content }))}`;
  const plain = { status: 200, headers: { 'content-type': 'application/json' }, body };
  return form({ label: 'a byte order mark', content, isOdd: true }, plain);
}

/** The body of the dialect's plain answer, to be modified. */
function bodyOf(dialect: Dialect, answer: NativeAnswer): Json {
  return native(dialect).completion(answer).body as Json;
}

function chatForms(): AnswerForm[] {
  const content = 'Salt water.';
  const whole = bodyOf('chat-completions', { text: content });
  const [choice] = whole.choices as Json[];
  const { opening, fragments, ending } = native('chat-completions').stream(['Salt ', 'water.']);
  const thinking = opening.map((event) => event.replace('"content":""', '"reasoning_content":"Hm."'));
  const message = { role: 'assistant', content, reasoning_content: 'Hm.', refusal: null };
  return [
    form(
      { label: 'thoughts beside the text', content },
      { status: 200, body: { ...whole, choices: [{ ...choice, message }] } },
      ...opening,
      ...thinking,
      ...fragments,
      ...ending,
    ),
    inParts(whole),
    emptyReasons(),
    form(
      { label: 'a chunk without choices before the first', content },
      null,
      `data: ${JSON.stringify({ ...whole, object: 'chat.completion.chunk', choices: [], usage: null })}\n\n`,
      ...opening,
      ...fragments,
      ...ending,
    ),
  ];
}

/** Chunks before the end have an empty text as their finish reason, as some servers write none. */
function emptyReasons(): AnswerForm {
  const odd = { label: 'an empty finish reason before the end', finish: 'length', isOdd: true } as const;
  const { opening, fragments, ending } = native('chat-completions').stream(['Salt ', 'water.'], odd);
  const open = [...opening, ...fragments].map((one) => one.replace('_reason":null', '_reason":""'));
  return form({ ...odd, content: 'Salt water.' }, null, ...open, ...ending);
}

/** The text as a list of parts, as some servers of the dialect send it. */
function inParts(whole: Json): AnswerForm {
  const parts = [
    { type: 'text', text: 'Salt ' },
    { type: 'kind_of_later', text: 'no text of the answer' },
    { type: 'text', text: 'water.' },
  ];
  const [choice] = whole.choices as Json[];
  const { opening, fragments, ending } = native('chat-completions').stream(['Salt ', 'water.']);
  const listed = fragments.map((event) =>
    event.replace(/"content":("(?:[^"\\]|\\.)*")/, '"content":[{"type":"text","text":$1}]'),
  );
  const message = { role: 'assistant', content: parts };
  return form(
    { label: 'the text as a list of parts', content: 'Salt water.', isOdd: true },
    { status: 200, body: { ...whole, choices: [{ ...choice, message }] } },
    ...[...opening, ...listed, ...ending],
  );
}

function messagesForms(): AnswerForm[] {
  const text = (said: string): Json => ({ type: 'text', text: said });
  const use = (name: string, input: Json): Json => ({ type: 'tool_use', id: `toolu_${name}`, name, input });
  const water = [text('Salt '), text('water.')];
  const content = 'Salt water.';
  const called = [{ name: 'current_time', arguments: {} }];
  return [
    blocks({ label: 'text in two blocks', content }, water),
    blocks({ label: 'thoughts before the text', content }, [
      { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
      { type: 'redacted_thinking', data: 'aGlkZGVu' },
      text(content),
    ]),
    blocks({ label: 'a block of a kind that came later, between texts', content }, [
      text('Salt '),
      { type: 'kind_of_later', text: 'no text of the answer' },
      text('water.'),
    ]),
    blocks({ label: 'a search that the upstream makes itself, between texts', content }, [
      text('Salt '),
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'sea' } },
      { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
      text('water.'),
    ]),
    blocks({ label: 'a call of nothing', calls: called }, [use('current_time', {})]),
    blocks({ label: 'text on both sides of a call', content, calls: called }, [
      text('Salt '),
      use('current_time', {}),
      text('water.'),
    ]),
  ];
}

/** A message of these blocks, with the stream that builds it. */
function blocks(said: Said, content: readonly Json[]): AnswerForm {
  const finish = said.calls === undefined ? 'end_turn' : 'tool_use';
  const { opening, ending } = native('messages').stream([], { finish });
  const built = content.flatMap((block, index) => {
    const { start, deltas } = partsOf(block);
    return [
      messageEvent('content_block_start', { index, content_block: start }),
      ...deltas.map((delta) => messageEvent('content_block_delta', { index, delta })),
      messageEvent('content_block_stop', { index }),
    ];
  });
  return form(
    said,
    { status: 200, body: { ...bodyOf('messages', { text: '', finish }), content } },
    ...opening.slice(0, 1),
    messageEvent('event_of_later', { text: 'no text of the answer' }),
    ...built,
    ...ending.slice(1),
  );
}

/** The start of a block and its deltas. */
function partsOf(block: Json): { start: Json; deltas: Json[] } {
  switch (block.type) {
    case 'text': {
      const whole = String(block.text);
      const deltas = [whole.slice(0, 2), whole.slice(2)].map((text) => ({ type: 'text_delta', text }));
      return { start: { ...block, text: '' }, deltas };
    }
    case 'thinking':
      return {
        start: { ...block, thinking: '', signature: '' },
        deltas: [
          { type: 'thinking_delta', thinking: block.thinking },
          { type: 'signature_delta', signature: block.signature },
        ],
      };
    case 'tool_use':
      return { start: { ...block, input: {} }, deltas: [{ type: 'input_json_delta', partial_json: '' }] };
    case 'server_tool_use': {
      const deltas = ['{"query":', ' "sea"}'].map((piece) => ({
        type: 'input_json_delta',
        partial_json: piece,
      }));
      return { start: { ...block, input: {} }, deltas };
    }
    case 'kind_of_later':
      return { start: block, deltas: [{ type: 'delta_of_later', text: 'no text of the answer' }] };
    default:
      return { start: block, deltas: [] };
  }
}

function messageEvent(type: string, members: Json): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
}

function generateForms(): AnswerForm[] {
  const content = 'Salt water.';
  const water = [{ text: 'Salt ' }, { text: 'water.' }];
  const call = (name: string, args?: Json): Json => ({
    functionCall: { name, ...(args === undefined ? {} : { args }) },
  });
  const lookedUp = { name: 'look_up', arguments: { word: 'sea' } };
  const { fragments, ending } = native('generate-content').stream(['Salt ', 'water.']);
  return [
    responses({ label: 'text in two parts', content }, water),
    responses({ label: 'thoughts before the text', content }, [{ text: 'Hm.', thought: true }, ...water]),
    responses({ label: 'a signature at the end', content }, [
      ...water,
      { text: '', thoughtSignature: 'c2ln' },
    ]),
    responses({ label: 'a call without arguments', calls: [{ name: 'current_time', arguments: {} }] }, [
      { ...call('current_time'), thoughtSignature: 'c2ln' },
    ]),
    responses({ label: 'the same call twice', content: 'Salt ', calls: [lookedUp, lookedUp] }, [
      { text: 'Salt ' },
      { ...call('look_up', { word: 'sea' }), thoughtSignature: 'c2ln' },
      call('look_up', { word: 'sea' }),
    ]),
    spent(),
    ...([undefined, 'length'] as const).map((finish) => {
      const reason = finish === 'length' ? 'MAX_TOKENS' : 'STOP';
      const last = fragments.slice(-1);
      const ended = last.map((event) => event.replace('"index":0', `"finishReason":"${reason}","index":0`));
      const said = { label: `the last text beside ${reason}`, content, ...(finish && { finish }) };
      return form(said, null, ...fragments.slice(0, -1), ...ended);
    }),
    form(
      { label: 'an end without any part', content },
      null,
      ...fragments,
      ...ending.map((event) => event.replace(/"content":\{.*?\]\},/, '')),
    ),
    form(
      { label: 'a count after the end', content },
      null,
      ...fragments.map(withoutCount),
      ...ending.map(withoutCount),
      ...ending.map((event) => event.replace(/"candidates":\[.*?\}\],(?="usageMetadata")/, '')),
    ),
  ];
}

/** An answer that spent all tokens on reasoning: it has only the finish reason and the usage. */
function spent(): AnswerForm {
  const usage = { ...defaultCounts, reasoning_tokens: defaultCounts.completion_tokens };
  const { candidates: _said, ...rest } = bodyOf('generate-content', { text: '', usage });
  const body = { ...rest, candidates: [{ finishReason: 'MAX_TOKENS', index: 0 }] };
  const event = `data: ${JSON.stringify(body)}\r\n\r\n`;
  return form({ label: 'nothing but thoughts', finish: 'length' }, { status: 200, body }, event);
}

/** One response of these parts. Streamed, each part is a separate response, followed by one with all parts. */
function responses(said: Said, parts: readonly Json[]): AnswerForm {
  const body = bodyOf('generate-content', { text: '' });
  const [candidate] = body.candidates as Json[];
  const holding = (held: readonly Json[], finishReason?: string): Json => {
    const { finishReason: _end, ...open } = candidate ?? {};
    const content = { role: 'model', parts: held };
    return {
      ...body,
      candidates: [
        {
          ...open,
          content,
          ...(finishReason === undefined ? {} : { finishReason }),
          safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'NEGLIGIBLE' }],
        },
      ],
    };
  };
  const event = (response: Json): string => `data: ${JSON.stringify(response)}\r\n\r\n`;
  return form(
    said,
    { status: 200, body: holding(parts, 'STOP') },
    ...(parts.length > 2 ? parts.map((part) => event(holding([part]))) : [event(holding(parts))]),
    event(holding([{ text: '' }], 'STOP')),
  );
}

function withoutCount(event: string): string {
  return event.replace(/"usageMetadata":\{[^}]*\},?/, '');
}
