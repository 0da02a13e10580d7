import { type Mutant, source } from '../../edits/mutant.ts';

const chunks = 'upstreams/chat-completions/stream.ts';
const parts = 'upstreams/generate-content/stream.ts';
const read = 'const read = this.#readPart(part);';
const others = 'if (pieces.length > 0 && part.functionCall !== undefined';

/** Gateways that take one event of an upstream as either text or a call. */
export const besides: readonly Mutant[] = [
  source(
    ['faces.text-beside-lost', 'a text beside a call in one chunk is lost', 'TOOL-007', 'text-of-event'],
    chunks,
    'textPiece(this.#newText(content, isLast))',
    "textPiece(fragments.length === 0 ? this.#newText(content, isLast) : '')",
  ),
  source(
    ['faces.a-text-beside-lost', 'on compat path A such a text is lost', 'COMPA-005', 'text-of-event'],
    'endpoints/chat/answer-stream.ts',
    '    for (const piece of pieces) {',
    `    const isBeside = request.native?.dialect === 'messages' && pieces.some(({ kind }) => kind === 'tool_start');
    for (const piece of pieces) {
      if (isBeside && piece.kind === 'text') continue;`,
  ),
  source(
    [
      'faces.a-call-beside-lost',
      'on compat path A a call after a text is lost',
      'COMPA-005',
      'call-of-event',
    ],
    'endpoints/chat/answer-stream.ts',
    '    for (const piece of pieces) {',
    `    const isBeside = request.native?.dialect === 'messages' && pieces[0]?.kind === 'text';
    const lost = new Set<number>();
    for (const piece of pieces) {
      if (isBeside && piece.kind === 'tool_start') lost.add(piece.index);
      if ('index' in piece && lost.has(piece.index)) continue;`,
  ),
  source(
    ['faces.call-beside-lost', 'a call beside a text in one event is lost', 'TOOL-007', 'call-of-event'],
    parts,
    read,
    `${others} && this.#native === null) continue;
      ${read}`,
  ),
  source(
    ['faces.b-call-beside-lost', 'on compat path B such a call is lost', 'COMPB-005', 'call-of-event'],
    parts,
    read,
    `${others} && this.#native !== null) continue;
      ${read}`,
  ),
  source(
    ['faces.b-text-beside-lost', 'on compat path B such a text is lost', 'COMPB-005', 'text-of-event'],
    parts,
    read,
    `if (this.#native !== null && part.text !== undefined && parts.some((one) => isObject(one) && one.functionCall))
        continue;
      ${read}`,
  ),
];

/** Compat paths that leave something out where the upstream speaks another dialect. */
export const retold: readonly Mutant[] = [
  source(
    [
      'faces.a-retold-without-temperature',
      'compat path A loses fields elsewhere',
      'COMPA-001',
      'field-retold',
    ],
    'requests/compat/messages/parse.ts',
    '    ...(temperature != null && { temperature }),\n',
    '',
  ),
  source(
    [
      'faces.a-retold-without-words',
      'compat path A loses descriptions elsewhere',
      'COMPA-001',
      'tools-retold',
    ],
    'requests/compat/messages/tools.ts',
    '        ...(tool.description != null && { description: String(tool.description) }),\n',
    '',
  ),
  // A second mutant: a part of tool_choice that has a field of its own elsewhere.
  source(
    [
      'faces.a-retold-in-parallel',
      'compat path A asks elsewhere for several calls at once, though its caller takes one',
      'COMPA-001',
      'tools-retold',
    ],
    'requests/compat/messages/tools.ts',
    '    ...(choice.disable_parallel_tool_use === true && { parallel_tool_calls: false }),\n',
    '',
  ),
  source(
    [
      'faces.b-retold-without-temperature',
      'compat path B loses fields elsewhere',
      'COMPB-004',
      'config-retold',
    ],
    'requests/compat/generate-content/generation-config.ts',
    '    ...(temperature !== null && { temperature }),\n',
    '',
  ),
  // A second mutant: a form that some upstreams take, and others do not.
  source(
    ['faces.b-retold-as-text', 'compat path B loses JSON mode elsewhere', 'COMPB-004', 'config-retold'],
    'requests/compat/generate-content/generation-config.ts',
    "      : { response_format: { type: 'json_object' } };",
    '      : {};',
  ),
  source(
    [
      'faces.b-retold-without-words',
      'compat path B loses descriptions elsewhere',
      'COMPB-005',
      'tools-retold',
    ],
    'requests/compat/generate-content/tools.ts',
    '      ...(description !== null && { description }),\n',
    '',
  ),
  // A third one of this aspect: other cases have no pictures.
  source(
    [
      'faces.a-retold-with-other-pictures',
      'compat path A says image/png of every image elsewhere',
      'COMPA-021',
      'content-arrives',
    ],
    'requests/compat/messages/media.ts',
    'function urlOf({ type, media_type: mime, data, url }: JsonObject): string | null {',
    `function urlOf({ type, media_type: given, data, url }: JsonObject): string | null {
  const mime = given === 'image/jpeg' ? 'image/png' : given;`,
  ),
];

const elsewhere = (protocol: 'a' | 'b', what: string): readonly [string, string, string, string] => [
  `faces.${protocol}-other-${what}-elsewhere`,
  `compat path ${protocol} reports other ${what} where the upstream speaks another dialect`,
  protocol === 'a' ? 'COMPA-010' : 'COMPB-010',
  `${what}-elsewhere`,
];
const shape = 'protocols/messages/answer.ts';
const generated = 'protocols/generate-content/answer.ts';

/** Compat paths that tell less of an answer where the upstream speaks another dialect. */
export const told: readonly Mutant[] = [
  source(
    elsewhere('a', 'text'),
    shape,
    "const said = text === null || text === ''",
    "const said = text === null || text === '' || toolCalls.length > 0",
  ),
  source(
    elsewhere('a', 'calls'),
    shape,
    '...toolCalls.map((call) => callBlock(call))',
    '...toolCalls.slice(0, 1).map((call) => callBlock(call))',
  ),
  source(
    elsewhere('a', 'finish'),
    'protocols/messages/stop-reason.ts',
    'isFiner ? reason : nativeReasons[finish],',
    "isFiner ? reason : nativeReasons[reason === undefined && finish === 'length' ? 'stop' : finish],",
  ),
  source(
    elsewhere('a', 'counts'),
    'protocols/messages/usage.ts',
    'cache_read_input_tokens: known.cachedTokens,',
    'cache_read_input_tokens: isObject(native) ? known.cachedTokens : 0,',
  ),
  source(
    elsewhere('b', 'text'),
    generated,
    "text === null || text === '' ? []",
    "text === null || text === '' || toolCalls.length > 0 ? []",
  ),
  source(
    elsewhere('b', 'calls'),
    'protocols/generate-content/event-writer.ts',
    'const parts = [...nativeCalls, ...whole];',
    'const parts = [...nativeCalls, ...whole.slice(0, 1)];',
  ),
  source(elsewhere('b', 'finish'), generated, "length: 'MAX_TOKENS',", "length: 'STOP',"),
  source(
    elsewhere('b', 'counts'),
    generated,
    '    ...(cached > 0 && { cachedContentTokenCount: cached }),\n',
    '',
  ),
];
