/**
 * Bodies that are not JSON objects, each with a name ("Errors": a field is missing or of the wrong type; reading
 * B-03).
 */
export const malformedBodies: readonly (readonly [string, string | Buffer])[] = [
  ['an empty body', ''],
  ['an opening brace', '{'],
  ['a body that ends after a key', '{"model":'],
  ['an array', '[]'],
  ['a string', '"x"'],
  ['null', 'null'],
  ['a number', '5'],
  ['true', 'true'],
  ['an object in an array', '[{"model":"alpha-5-2"}]'],
  ['a trailing comma', '{"model":"alpha-5-2",}'],
  ['single quotes', "{'model':'alpha-5-2'}"],
  ['a comment', '{/* */"model":"alpha-5-2"}'],
  ['two documents', '{"model":"alpha-5-2"}{"model":"alpha-5-2"}'],
  ['form data', 'model=alpha-5-2&messages=hi'],
  ['a line break in a string', '{"model":"alpha\n-5-2"}'],
  ['an unfinished escape', '{"model":"\\u12"}'],
  ['spaces', '   \n'],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0x6d, 0xff, 0xfe, 0x22, 0x3a])],
  ['a gzip header', Buffer.from([0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00])],
];

type Build = (model: string, prompt: string) => string;

/** The minimal body as text, with further members as text. */
const withMember =
  (member: string): Build =>
  (model, prompt) =>
    `{"model":${JSON.stringify(model)},"messages":[{"role":"user","content":${JSON.stringify(prompt)}}],${member}}`;

const withContent =
  (content: string): Build =>
  (model) =>
    `{"model":${JSON.stringify(model)},"messages":[{"role":"user","content":${content}}]}`;

const nest = (depth: number, open: string, close: string): string =>
  `${open.repeat(depth)}1${close.repeat(depth)}`;

/** Well-formed bodies at the limits of JSON. A gateway may accept or refuse each, but must do so cleanly. */
export const hostileBodies: readonly (readonly [string, Build])[] = [
  ['metadata nested 20,000 arrays deep', withMember(`"metadata":{"k":${nest(20_000, '[', ']')}}`)],
  [
    'parameters nested 5,000 objects deep',
    withMember(
      `"tools":[{"type":"function","function":{"name":"f","parameters":${nest(5_000, '{"a":', '}')}}}]`,
    ),
  ],
  [
    'parameters nested 200 objects deep',
    withMember(
      `"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":${nest(200, '{"type":"object","properties":{"a":', '}}').replace('1', '{}')}}}]`,
    ),
  ],
  ['content nested 100,000 arrays deep', withContent(nest(100_000, '[', ']'))],
  [
    'messages nested in themselves',
    (model) => `{"model":${JSON.stringify(model)},"messages":${nest(3_000, '[', ']')}}`,
  ],
  ['temperature 1e400', withMember('"temperature":1e400')],
  ['temperature -1e400', withMember('"temperature":-1e400')],
  ['temperature 1e-400', withMember('"temperature":1e-400')],
  ['max_tokens 1e400', withMember('"max_tokens":1e400')],
  ['max_tokens 1e308', withMember('"max_tokens":1e308')],
  ['max_tokens of 30 digits', withMember('"max_tokens":123456789012345678901234567890')],
  ['seed 1e400', withMember('"seed":1e400')],
  ['seed of 30 digits', withMember('"seed":123456789012345678901234567890')],
  ['NaN for a number', withMember('"temperature":NaN')],
  ['a lone surrogate in the prompt', withContent('"a\\ud800b"')],
  ['a lone surrogate in user', withMember('"user":"\\udc00"')],
  ['a lone surrogate in metadata', withMember('"metadata":{"\\ud800":"\\udfff"}')],
  ['a lone surrogate in stop', withMember('"stop":["\\ud800"]')],
  ['NUL in the prompt', withContent('"a\\u0000b"')],
  ['NUL in user', withMember('"user":"a\\u0000b"')],
  ['NUL in metadata', withMember('"metadata":{"a\\u0000":"\\u0000"}')],
  ['NUL in the model id', (_model, prompt) => withMember('"seed":1')('alpha-5-2\u0000', prompt)],
  ['NUL in stop', withMember('"stop":"\\u0000"')],
  ['NUL in a tool name', withMember('"tools":[{"type":"function","function":{"name":"a\\u0000b"}}]')],
  ['a user of 1 MB', withMember(`"user":"${'u'.repeat(1_000_000)}"`)],
  ['a model id of 1 MB', (_model, prompt) => withMember('"seed":1')('m'.repeat(1_000_000), prompt)],
  ['a metadata value of 1 MB', withMember(`"metadata":{"k":"${'v'.repeat(1_000_000)}"}`)],
  ['a stop text of 1 MB', withMember(`"stop":"${'s'.repeat(1_000_000)}"`)],
  ['an unknown field of 1 MB', withMember(`"zz":"${'z'.repeat(1_000_000)}"`)],
  ['an unknown field with a name of 1 MB', withMember(`"${'z'.repeat(1_000_000)}":1`)],
  [
    '10,000 metadata keys',
    withMember(`"metadata":{${Array.from({ length: 10_000 }, (_, index) => `"k${index}":"v"`).join(',')}}`),
  ],
  ['10,000 stop texts', withMember(`"stop":[${Array.from({ length: 10_000 }, () => '"x"').join(',')}]`)],
  [
    '20,000 empty messages',
    (model) =>
      `{"model":${JSON.stringify(model)},"messages":[${Array.from({ length: 20_000 }, () => '{}').join(',')}]}`,
  ],
  ['temperature twice', withMember('"temperature":0,"temperature":1')],
  ['stream twice', withMember('"stream":false,"stream":false')],
  [
    'model twice, once with __proto__ beside it',
    withMember('"__proto__":{"stream":true},"__proto__":{"model":5}'),
  ],
  ['an escaped key', withMember('"\\u0074emperature":1')],
  ['a byte order mark in the prompt', withContent('"\\ufeffHello."')],
];
