import type { UpstreamQuestion } from '../../../upstreams/call.ts';
import type { Random } from '../../random.ts';
import { Calls, textOf, type UpstreamCall } from './calls.ts';
import type { Jobs } from './jobs.ts';
import { chatHosts } from './scenario.ts';
import type { Fate, MadeAnswer, Site } from './upstream-client.ts';

export interface UpstreamsParts {
  readonly random: Random;
  readonly jobs: Jobs;
  /** How likely a call at this host fails now. */
  readonly badness: (host: string) => number;
  readonly now: () => number;
}

type Json = Readonly<Record<string, unknown>>;

const fates: readonly [Fate, ...Fate[]] = [
  'unsent',
  'lost-before',
  'lost-after',
  'lost-after',
  'stalled',
  'cut',
];

/** All simulated upstreams: chat, and jobs in both dialects. */
export function createUpstreams({ random, jobs, badness, now }: UpstreamsParts): Site {
  const calls = new Calls();
  return {
    calls,
    begin: (process, { url }, body) => {
      const host = hostOf(url);
      const isChat = chatHosts.includes(host);
      const asked = isChat && body !== null ? askedIn(body) : { userId: null, requestId: null, model: null };
      return calls.begin({ process, host, isChat, ...asked, beganMs: now() });
    },
    fateOf: ({ host }) => (random.chance(badness(host) * 0.5) ? random.pick(fates) : 'well'),
    answer: (call, question, body) => {
      if (random.chance(badness(call.host) * 0.5)) return refusal(random, call);
      return call.isChat ? chatAnswer(random, call, body) : jobAnswer(jobs, call, question, body);
    },
  };
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace('.upstream', '');
}

/** Who asks for what: callers of the simulation say so in their prompts. */
function askedIn(body: string): Pick<UpstreamCall, 'userId' | 'requestId' | 'model'> {
  const { model, messages }: { model?: string; messages?: { content: string }[] } = JSON.parse(body);
  const [userId = null, requestId = null] = messages?.[0]?.content.split(' ') ?? [];
  return { userId, requestId, model: model?.replace('native-', '') ?? null };
}

function refusal(random: Random, { isChat }: UpstreamCall): MadeAnswer {
  const [status, code] = random.pick([
    [500, 'server_error'],
    [500, 'server_error'],
    [503, 'overloaded'],
    [429, 'rate_limit_exceeded'],
    isChat ? [400, 'invalid_request_error'] : [500, 'server_error'],
    isChat ? [401, 'invalid_api_key'] : [500, 'server_error'],
  ] as const);
  const end = status === 401 ? 'account' : status === 400 ? 'refused' : 'failed';
  const headers = status === 429 && random.chance(0.5) ? { 'retry-after': '2' } : {};
  return answerOf(status, { error: { message: 'no', code }, code: status, msg: 'no' }, end, headers);
}

function chatAnswer(random: Random, call: UpstreamCall, body: string | null): MadeAnswer {
  const usage = { promptTokens: random.whole(1, 50), completionTokens: random.whole(1, 90) };
  const told = { prompt_tokens: usage.promptTokens, completion_tokens: usage.completionTokens };
  call.usage = usage;
  const asked: Json = JSON.parse(body ?? '{}');
  if (asked.stream !== true) {
    const message = { role: 'assistant', content: textOf(call) };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    return answerOf(200, { object: 'chat.completion', choices, usage: told }, 'answered');
  }
  const text = textOf(call);
  const half = text.length >> 1;
  const chunk = (delta: Json, finish: string | null, more: Json = {}): Buffer =>
    eventOf(JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }], ...more }));
  const pieces = [
    chunk({ role: 'assistant', content: text.slice(0, half) }, null),
    chunk({ content: text.slice(half) }, null),
    Buffer.concat([chunk({}, 'stop', { usage: told }), eventOf('[DONE]')]),
  ];
  return { status: 200, headers: { 'content-type': 'text/event-stream' }, pieces, end: 'answered' };
}

function eventOf(data: string): Buffer {
  return Buffer.from(`data: ${data}\n\n`);
}

function jobAnswer(
  jobs: Jobs,
  { host }: UpstreamCall,
  question: UpstreamQuestion,
  body: string | null,
): MadeAnswer {
  const made = jobs.answer({
    host,
    url: new URL(question.url),
    body: body === null ? null : JSON.parse(body),
    key: question.headers['idempotency-key'] ?? '',
  });
  if (Buffer.isBuffer(made.body)) return { status: 200, headers: {}, pieces: [made.body], end: 'answered' };
  return answerOf(made.status, made.body, made.status === 404 ? 'refused' : 'answered');
}

function answerOf(
  status: number,
  body: Json,
  end: MadeAnswer['end'],
  headers: Record<string, string> = {},
): MadeAnswer {
  const type = { 'content-type': 'application/json', date: 'Tue, 10 Nov 2026 12:00:00 GMT', ...headers };
  return { status, headers: type, pieces: [Buffer.from(JSON.stringify(body))], end };
}
