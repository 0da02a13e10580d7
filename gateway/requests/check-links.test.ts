import { expect, it } from 'vitest';
import { chatModels } from '../catalogue/chat-models.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { parseJsonObject } from '../http/parse-json.ts';
import { createOutbound } from '../outbound/create-outbound.ts';
import { scriptedResolve } from '../outbound/resolve.ts';
import { harmlessSpellings, privateSpellings } from '../testing/url-spellings.ts';
import { type ChatRequest, parseChatRequest } from './chat-request.ts';
import { checkLinks } from './check-links.ts';
import { parseGenerateContentRequest } from './compat/generate-content/parse-request.ts';
import { parseMessagesRequest } from './compat/messages/parse.ts';

const guardWith = (allowedHosts: readonly string[]) =>
  createOutbound({ ports: [443], allowedHosts, resolve: scriptedResolve({}) });
const closed = guardWith([]);
const open = guardWith(['127.0.0.1:9090']);

const parsed = (body: object): ReturnType<typeof parseJsonObject> =>
  parseJsonObject(Buffer.from(JSON.stringify(body)));
const modelOf = (id: string) => {
  const model = chatModels.get(id);
  if (model === undefined) throw new Error(`no model ${id}`);
  return model;
};
const chatWith = (url: string): ChatRequest => {
  const image = { type: 'image_url', image_url: { url } };
  const content = [{ type: 'text', text: 'what is it?' }, image];
  const messages = [
    { role: 'system', content: 'Be short.' },
    { role: 'user', content },
  ];
  return parseChatRequest(parsed({ model: 'alpha-5-2', messages }), modelOf('alpha-5-2'));
};
/** The field for which a URL is rejected, for its form or its target. */
const refusedFor = (request: () => ChatRequest, rules = closed): string | null => {
  try {
    checkLinks(request(), rules);
    return null;
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== 'invalid_param') throw error;
    return error.param;
  }
};
const param = 'messages[1].content[1].image_url.url';

it('rejects media at private addresses in any spelling, over http and https', () => {
  for (const spelling of privateSpellings) {
    // Data in the body have no address.
    if (spelling.startsWith('data:')) continue;
    const url = spelling.replace('{port}', '8443');
    for (const one of [url, url.replace('https', 'http')])
      expect([one, refusedFor(() => chatWith(one))]).toEqual([one, param]);
  }
});

it('accepts media at addresses that only look private, and in the body', () => {
  for (const url of [...harmlessSpellings, 'http://example.com/a.png', 'data:image/png;base64,AAAA'])
    expect([url, refusedFor(() => chatWith(url))]).toEqual([url, null]);
});

it('accepts private addresses on the list of a test gateway', () => {
  expect(refusedFor(() => chatWith('http://127.0.0.1:9090/a.png'), open)).toBeNull();
});

/** Spellings that one parser rejects, or reads as a different address than another parser. */
const twoReadings = [
  'http://169.254.169.254\n/x',
  'https://127.0.0.1\t/x',
  '\thttps://10.0.0.1/x',
  'ht\ntps://10.0.0.1/x',
  'https://[fe80::1%lo]/x',
  'https:\\\\10.0.0.1\\x',
  'https://user:word@example.com/a.png',
  'https://example.com:6379/a.png',
  '//169.254.169.254/x',
  'file:///etc/passwd',
];
const taken = [
  'https://media.example.com/a.png',
  'gs://bucket/a.png',
  'files/abc-123',
  'data:image/png;base64,AAAA',
];
const link = (url: string) => ({ type: 'image', source: { type: 'url', url } });
const call = { type: 'tool_use', id: 'c1', name: 'look', input: { url: 'https://10.0.0.1/' } };
const said = { role: 'user', content: 'Go on.' };

/** Bodies of the messages protocol, each with a link in a different position. */
const messagesPlaces: Readonly<Record<string, (url: string) => object>> = {
  'messages[0].content[0].source.url': (url) => ({ messages: [{ role: 'user', content: [link(url)] }] }),
  'messages[0].content[1].source.url': (url) => ({
    messages: [{ role: 'assistant', content: [call, link(url)] }, said],
  }),
  'messages[1].content[0].content[0].source.url': (url) => ({
    messages: [
      { role: 'assistant', content: [call] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: [link(url)] }] },
    ],
  }),
  'messages[0].content[0].source.content[0].source.url': (url) => ({
    messages: [
      { role: 'user', content: [{ type: 'document', source: { type: 'content', content: [link(url)] } }] },
    ],
  }),
  'mcp_servers[0].url': (url) => ({ messages: [said], mcp_servers: [{ type: 'url', name: 'one', url }] }),
};

/** The same for the generate-content protocol. */
const contentsPlaces: Readonly<Record<string, (url: string) => object>> = {
  'contents[0].parts[0].fileData.fileUri': (url) => ({
    contents: [{ role: 'user', parts: [{ fileData: { fileUri: url } }] }],
  }),
  'contents[0].parts[0].file_data.file_uri': (url) => ({
    contents: [{ role: 'model', parts: [{ file_data: { file_uri: url } }] }],
  }),
  'systemInstruction.parts[0].fileData.fileUri': (url) => ({
    contents: [{ role: 'user', parts: [{ text: 'Go on.' }] }],
    systemInstruction: { parts: [{ fileData: { fileUri: url } }] },
  }),
  'contents[0].parts[0].functionResponse.parts[0].fileData.fileUri': (url) => ({
    contents: [
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              name: 'look',
              response: { url: 'https://10.0.0.1/' },
              parts: [{ fileData: { fileUri: url } }],
            },
          },
        ],
      },
    ],
  }),
};
const native: readonly (readonly [string, (url: string) => ChatRequest])[] = [
  ...Object.entries(messagesPlaces).map(([at, bodyWith]) => {
    const head = { model: 'beta-large-4-5', max_tokens: 9 };
    return [
      at,
      (url: string) => parseMessagesRequest(parsed({ ...head, ...bodyWith(url) }), modelOf('beta-large-4-5')),
    ] as const;
  }),
  ...Object.entries(contentsPlaces).map(([at, bodyWith]) => {
    return [
      at,
      (url: string) => parseGenerateContentRequest(parsed(bodyWith(url)), modelOf('gamma-3-pro'), false),
    ] as const;
  }),
];

it.for(native)('rejects a private link at %s, by its path', ([at, requestWith]) => {
  const refused = [...privateSpellings.filter((one) => !one.startsWith('data:')), ...twoReadings];
  for (const one of refused.map((spelling) => spelling.replace('{port}', '8443')))
    expect([one, refusedFor(() => requestWith(one))]).toEqual([one, at]);
  for (const one of [...harmlessSpellings, ...taken])
    expect([one, refusedFor(() => requestWith(one))]).toEqual([one, null]);
});
