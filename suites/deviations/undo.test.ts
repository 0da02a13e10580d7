import { expect, it } from 'vitest';
import type { ProxyRequest } from '../mutation/mutation.ts';
import { datedModelNames } from './dated-model-names.ts';
import { usageOnRequest } from './usage-on-request.ts';

const asking = (body: string): ProxyRequest => ({
  method: 'POST',
  path: '/api/v1/chat/completions',
  headers: [],
  body: Buffer.from(body),
});
const sent = (body: string): string => {
  const passed = usageOnRequest.undo.request?.(asking(body));
  return passed?.body.toString() ?? '';
};

it('usage is asked for in streams alone, with all else as it was written', () => {
  expect(sent('{"stream":true,"seed":9007199254740993}')).toBe(
    '{"stream":true,"seed":9007199254740993,"stream_options":{"include_usage":true}}',
  );
  expect(sent('{"stream":true,"stream_options":{}}')).toBe(
    '{"stream":true,"stream_options":{"include_usage":true}}',
  );
  for (const body of [
    '{"stream":false}',
    '{"stream":true,"stream_options":5}',
    '{"stream":true,"stream_options":{"include_usage":false}}',
    '{"stream":',
  ])
    expect(sent(body)).toBe(body);
});

it.each([
  ['delta-3-2026-08-07', 'delta-3'],
  ['delta-3-20260807', 'delta-3'],
  ['delta-3', 'delta-3'],
  ['delta-4-2026-08-07', 'delta-4-2026-08-07'],
  ['delta-3-native', 'delta-3-native'],
])('the name %s in an answer is %s', (model, expected) => {
  const body = Buffer.from(JSON.stringify({ object: 'chat.completion', model }));
  const request = asking('{"model":"delta-3"}');
  const answer = datedModelNames.undo.answer?.({ status: 200, headers: [], body }, request);
  expect(JSON.parse(answer?.body.toString() ?? '')).toMatchObject({ model: expected });
  const [event = ''] = datedModelNames.undo.events?.(request)(`data: ${JSON.stringify({ model })}`) ?? [];
  expect(event).toContain(`"model":"${expected}"`);
});
