import type { Exchange } from '../wire/exchange.ts';

/** Answers of a conforming gateway for the tests of judges; each test breaks one thing. */
export const sampleModel = 'alpha-5-2';
/** When the samples were requested, ms since the epoch. */
export const sampleTime = 1_800_000_000_000;

export interface SampleAnswer {
  readonly status?: number;
  readonly contentType?: string;
  readonly complete?: boolean;
}

/** An exchange that ended with this body. */
export function exchangeOf(body: string | Buffer, answer: SampleAnswer = {}): Exchange {
  const { status = 200, contentType = 'application/json', complete = true } = answer;
  return {
    label: 'sample',
    request: {
      method: 'POST',
      url: 'http://gateway/api/v1/chat/completions',
      headers: [],
      body: Buffer.alloc(0),
    },
    response: {
      status,
      headers: [['Content-Type', contentType]],
      body: Buffer.from(body),
      firstByteMs: 1,
      endMs: 2,
      complete,
    },
    error: complete ? null : 'ECONNRESET: the peer left',
    sentAt: sampleTime,
    endedAt: sampleTime + 1000,
  };
}

export function sampleUsage(): Record<string, unknown> {
  return {
    prompt_tokens: 12,
    completion_tokens: 3,
    total_tokens: 15,
    prompt_tokens_details: { cached_tokens: 4 },
  };
}

export interface SampleCompletion extends Record<string, unknown> {
  choices: Record<string, unknown>[];
  usage: Record<string, unknown>;
}

export function sampleCompletion(): SampleCompletion {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: sampleTime / 1000,
    model: sampleModel,
    choices: [
      { index: 0, message: { role: 'assistant', content: 'The sea is wide.' }, finish_reason: 'stop' },
    ],
    usage: sampleUsage(),
  };
}

export interface SampleChunk extends Record<string, unknown> {
  choices: { index: number; delta: Record<string, unknown>; finish_reason?: unknown }[];
}

function chunk(delta: Record<string, unknown>, finish: string | null = null): SampleChunk {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: sampleTime / 1000,
    model: sampleModel,
    choices: [{ index: 0, delta, finish_reason: finish }],
  };
}

/** The chunks of a stream with the text `The sea is wide.` */
export function sampleChunks(): [SampleChunk, SampleChunk, SampleChunk, SampleChunk] {
  return [
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'The sea ' }),
    chunk({ content: 'is wide.' }),
    { ...chunk({}, 'stop'), usage: sampleUsage() },
  ];
}

/** A stream of these payloads; JSON values are written as JSON, texts as they are. */
export function streamOf(payloads: readonly unknown[], answer: SampleAnswer = {}): Exchange {
  const text = payloads
    .map((payload) => `data: ${typeof payload === 'string' ? payload : JSON.stringify(payload)}\n\n`)
    .join('');
  return exchangeOf(text, { contentType: 'text/event-stream; charset=utf-8', ...answer });
}

/** `requirement aspect` of the violation that `judge` throws, or null. */
export function violationOf(judge: () => unknown): string | null {
  try {
    judge();
    return null;
  } catch (error) {
    const { finding } = error as { finding?: { requirement: string; aspect: string } };
    if (finding === undefined) throw error;
    return `${finding.requirement} ${finding.aspect}`;
  }
}
