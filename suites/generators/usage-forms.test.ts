import { expect, test } from 'vitest';
import { usageForms } from './usage-forms.ts';

const messages = usageForms('messages');

test('the messages dialect reports uncached, read and written input separately, and output only at the end', () => {
  const [first] = messages;
  const body = JSON.parse(String(first?.reply(false).body));
  expect(body.usage).toEqual({
    input_tokens: 3,
    cache_creation_input_tokens: 150,
    cache_read_input_tokens: 12_304,
    cache_creation: { ephemeral_5m_input_tokens: 110, ephemeral_1h_input_tokens: 40 },
    output_tokens: 89,
  });
  const stream = String(first?.reply(true).body);
  expect(stream).toContain('"cache_read_input_tokens":12304');
  expect(/event: message_delta\n.*/.exec(stream)?.[0]).toContain('"usage":{"output_tokens":89}');
});

test('a stream may repeat all its counts at the end', () => {
  const twice = messages.find(({ label }) => label.endsWith('once more at the end'));
  const delta = /event: message_delta\n.*/.exec(String(twice?.reply(true).body))?.[0];
  expect(delta).toContain('"usage":{"input_tokens":3,"cache_creation_input_tokens":150,');
  expect(delta).toContain('"output_tokens":89}');
});

test('null may stand for zero tokens', () => {
  const none = messages.find(({ counts, label }) => counts.prompt_tokens === 12 && label.includes('null'));
  expect(String(none?.reply(false).body)).toContain('"cache_read_input_tokens":null');
});

test('the generate-content dialect counts thoughts separately from candidates', () => {
  const body = JSON.parse(String(usageForms('generate-content')[0]?.reply(false).body));
  expect(body.usageMetadata).toEqual({
    promptTokenCount: 4705,
    candidatesTokenCount: 89,
    totalTokenCount: 7793,
    cachedContentTokenCount: 2048,
    thoughtsTokenCount: 2999,
  });
});
