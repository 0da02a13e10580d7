import { expect, it } from 'vitest';
import { chatModels } from '../catalogue/chat-models.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { parseJsonObject } from '../http/parse-json.ts';
import { harmlessSpellings, privateSpellings } from '../testing/url-spellings.ts';
import { type ChatRequest, parseChatRequest } from './chat-request.ts';
import { checkMediaUrls } from './check-media-urls.ts';
import { parseMessagesRequest } from './compat/messages/parse.ts';

const closed = { takesPrivate: false, refuseWebhook: () => null };
const open = { ...closed, takesPrivate: true };

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
/** The field that a URL is refused for, by its form or by where it leads. */
const refusedFor = (request: () => ChatRequest, rules = closed): string | null => {
  try {
    checkMediaUrls(request(), rules);
    return null;
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== 'invalid_param') throw error;
    return error.param;
  }
};
const param = 'messages[1].content[1].image_url.url';

it('refuses media at private places, however they are spelled, over http and https', () => {
  for (const spelling of privateSpellings) {
    // Data in the body is no place.
    if (spelling.startsWith('data:')) continue;
    const url = spelling.replace('{port}', '8443');
    for (const one of [url, url.replace('https', 'http')])
      expect([one, refusedFor(() => chatWith(one))]).toEqual([one, param]);
  }
});

it('takes media at places that only look private, and in the body itself', () => {
  for (const url of [...harmlessSpellings, 'http://example.com/a.png', 'data:image/png;base64,AAAA'])
    expect([url, refusedFor(() => chatWith(url))]).toEqual([url, null]);
});

it('takes private places where a gateway is tested', () => {
  expect(refusedFor(() => chatWith('http://127.0.0.1:9090/a.png'), open)).toBeNull();
});

it('names the place in the words of the caller', () => {
  const source = { type: 'url', url: 'https://10.0.0.1/a.png' };
  const messages = [{ role: 'user', content: [{ type: 'image', source }] }];
  const body = parsed({ model: 'beta-large-4-5', max_tokens: 9, messages });
  const request = () => parseMessagesRequest(body, modelOf('beta-large-4-5'));
  expect(refusedFor(request)).toMatch(/^messages\[0\]\.content\[0\]/);
});
