import { mediaBody } from '../media-bodies.ts';
import type { Question } from '../wire.ts';
import { type Numbered, promptOf, secondsOf, tokensOf } from './numbered.ts';

/** Where a request is sent, and how. */
interface Asking {
  readonly path: string;
  readonly question: Question;
}

export interface Sender extends Numbered {
  readonly key: string;
  /** Where task events are sent. */
  readonly webhookUrl: string;
}

/** One way to use the gateway: an endpoint, a protocol and a model. */
export interface Way {
  readonly name: string;
  readonly kind: 'chat' | 'images' | 'task';
  readonly model: string;
  readonly isStream: boolean;
  ask(sender: Sender): Asking;
  /** Whether an answer with status 200 is complete. */
  isWhole(text: string): boolean;
  /** The list price of the request in pico-USD. */
  cost(n: number): bigint;
}

/** List prices in dollars: per million tokens, or per unit of media. */
export const auditPrices = Object.fromEntries([
  ...['delta-3', 'beta-large-4-5', 'gamma-3-pro'].map((model) => [
    model,
    { input: '2.5', output: '10', cached_percent: 20 },
  ]),
  ['dream-4-0', { per_image: '0.03' }],
  ['vidB2', { per_second: '0.05' }],
  ['voice-music', { per_second: '0.002' }],
  ['voice-v3', { per_task: '0.05' }],
  ['song-v5', { per_task: '0.12' }],
]);

function chatCost(n: number): bigint {
  const { prompt, cached, completion } = tokensOf(n);
  return BigInt(prompt - cached) * 2_500_000n + BigInt(cached) * 500_000n + BigInt(completion) * 10_000_000n;
}

const post = (path: string, key: string, body: unknown): Asking => ({
  path,
  question: { method: 'POST', key, body },
});

function coreChat(model: string, isStream: boolean): Way {
  return {
    name: `chat ${model}${isStream ? ', streamed' : ''}`,
    kind: 'chat',
    model,
    isStream,
    ask: (sender) =>
      post('/api/v1/chat/completions', sender.key, {
        model,
        messages: [{ role: 'user', content: promptOf(sender) }],
        stream: isStream,
      }),
    isWhole: (text) => !isStream || text.endsWith('data: [DONE]\n\n'),
    cost: chatCost,
  };
}

function compatA(isStream: boolean): Way {
  const model = 'beta-large-4-5';
  return {
    name: `path A${isStream ? ', streamed' : ''}`,
    kind: 'chat',
    model,
    isStream,
    ask: (sender) => ({
      path: '/compat-a/v1/messages',
      question: {
        method: 'POST',
        headers: { 'x-api-key': sender.key, 'compat-a-version': '2023-06-01' },
        body: {
          model,
          max_tokens: 64_000,
          messages: [{ role: 'user', content: promptOf(sender) }],
          stream: isStream,
        },
      },
    }),
    isWhole: (text) => !isStream || text.includes('event: message_stop'),
    cost: chatCost,
  };
}

function compatB(isStream: boolean): Way {
  const model = 'gamma-3-pro';
  const target = isStream ? 'streamGenerateContent?alt=sse&' : 'generateContent?';
  return {
    name: `path B${isStream ? ', streamed' : ''}`,
    kind: 'chat',
    model,
    isStream,
    ask: (sender) => ({
      path: `/compat-b/v1beta/models/${model}:${target}key=${sender.key}`,
      question: {
        method: 'POST',
        body: { contents: [{ role: 'user', parts: [{ text: promptOf(sender) }] }] },
      },
    }),
    isWhole: (text) => !isStream || text.includes('"finishReason"'),
    cost: chatCost,
  };
}

const images: Way = {
  name: 'images',
  kind: 'images',
  model: 'dream-4-0',
  isStream: false,
  ask: (sender) =>
    post('/api/v1/images/generations', sender.key, mediaBody('dream-4-0', { prompt: promptOf(sender) })),
  isWhole: () => true,
  cost: () => 30_000_000_000n,
};

function task(model: string, cost: (n: number) => bigint): Way {
  const words = model === 'voice-v3' ? 'text' : 'prompt';
  return {
    name: `task ${model}`,
    kind: 'task',
    model,
    isStream: false,
    ask: (sender) =>
      post(
        '/api/v1/tasks',
        sender.key,
        mediaBody(model, { [words]: promptOf(sender), webhook_url: `${sender.webhookUrl}/${sender.n}` }),
      ),
    isWhole: () => true,
    cost,
  };
}

/** All synchronous requests, over all protocols and upstream dialects. */
export const answeredWays: readonly Way[] = [
  ...['delta-3', 'beta-large-4-5', 'gamma-3-pro'].flatMap((model) => [
    coreChat(model, false),
    coreChat(model, true),
  ]),
  compatA(false),
  compatA(true),
  compatB(false),
  compatB(true),
  images,
];

/** Tasks, over both dialects of jobs. */
export const taskWays: readonly Way[] = [
  task('vidB2', (n) => BigInt(secondsOf(n)) * 50_000_000_000n),
  task('voice-music', (n) => BigInt(secondsOf(n)) * 2_000_000_000n),
  task('voice-v3', () => 50_000_000_000n),
  task('song-v5', () => 120_000_000_000n),
];
