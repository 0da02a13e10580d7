import { events, json, type Reply, usageFrame } from './fake-upstream.ts';
import { messageEvent } from './messages-upstream.ts';
import type { TestGateway } from './test-gateway.ts';
import { parseEvents } from './wire.ts';

// Answers of upstreams in odd forms, and what a caller gets of them.

const models = { chat: 'delta-3', messages: 'beta-large-4-5', generate: 'gamma-3-flash' } as const;
export type Dialect = keyof typeof models;

export const counts = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
export const chat = (message: object, finish: unknown = 'stop', more: object = {}): object => ({
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
  usage: counts,
  ...more,
});
export const plain = (body: unknown, status = 200, headers = {}): Reply => json(status, body, headers);
export const chunk = (members: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, finish_reason: finish, ...members }] })}\n\n`;
export const stream = (...frames: string[]): Reply => events([...frames, usageFrame, 'data: [DONE]\n\n']);
export const message = (content: unknown, reason = 'end_turn', status = 200): Reply =>
  json(status, {
    type: 'message',
    content,
    stop_reason: reason,
    usage: { input_tokens: 11, output_tokens: 7 },
  });
export const candidate = (parts: unknown, more: object = {}): object => ({
  candidates: [{ content: { role: 'model', ...(parts !== undefined && { parts }) }, ...more }],
  usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 },
});
export const stop = { finishReason: 'STOP' };
export const thought = { text: 'hm', thought: true };
export const image = { inlineData: { mimeType: 'image/png', data: 'AA==' } };
export const thinking = { type: 'thinking', thinking: 'hm', signature: 's' };
export const blocks = (index: number, block: object, ...deltas: object[]): string[] => [
  messageEvent('content_block_start', { index, content_block: block }),
  ...deltas.map((one) => messageEvent('content_block_delta', { index, delta: one })),
  messageEvent('content_block_stop', { index }),
];
export const messaged = (...frames: string[]): Reply =>
  events([
    ...frames,
    messageEvent('message_delta', {
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: 11, output_tokens: 7 },
    }),
    messageEvent('message_stop'),
  ]);

/** What the caller sees of an answer, and the tokens that were recorded. */
export async function askFor(gateway: TestGateway, dialect: Dialect, isStream: boolean) {
  const messages = [{ role: 'user', content: 'hi' }];
  const answer = await gateway.chat({ model: models[dialect], stream: isStream, messages });
  const isEvents = isStream && answer.status === 200;
  const chunks = isEvents ? parseEvents(answer.text).chunks : [answer.json];
  const choices = chunks.flatMap((chunk) => chunk.choices ?? []);
  const said = choices.map((choice) => choice.delta ?? choice.message);
  const calls = said.flatMap(({ tool_calls: some = [] }) => some);
  const names = calls.map((call) => call.function.name ?? '').join('');
  const [record] = gateway.records;
  return {
    code: chunks.at(-1).error?.code,
    text: said.map(({ content }) => content ?? '').join(''),
    call: calls.length === 0 ? '' : `${names}${calls.map((call) => call.function.arguments ?? '').join('')}`,
    finish: choices.map((choice) => choice.finish_reason).findLast((reason) => reason !== null),
    tokens: [record?.prompt_tokens, record?.completion_tokens].map(Number),
  };
}
