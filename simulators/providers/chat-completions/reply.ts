import type { Finish } from '../../control/protocol.ts';
import { seededHex, seededId } from '../../random.ts';
import {
  type ComposedAnswer,
  type ComposedCall,
  type ComposedReply,
  composeAnswer,
} from '../composition/compose.ts';
import type { Identity } from '../identity.ts';
import { type Asked, promptOf } from './asked.ts';
import { logprobsOf } from './logprobs.ts';
import { type NativeUsage, renderUsage, usageText } from './usage.ts';

/** The complete answer of the model, before it is rendered plain or as a stream. */
export interface Completion extends Choice {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly model: string;
  readonly fingerprint: string;
  /** Further choices, if the request asks for more than one. */
  readonly others: readonly Choice[];
  readonly usage: NativeUsage;
}

/** One of the choices in an answer. */
export interface Choice {
  /** Null without shown reasoning. */
  readonly reasoning: string | null;
  /** Null when the answer consists of calls alone. */
  readonly text: string | null;
  /** The text as a stream splits it. */
  readonly textDeltas: readonly string[];
  readonly calls: readonly CompletionCall[];
  readonly finish: Finish;
  /** The number of alternatives for each token; null without probabilities. */
  readonly topLogprobs: number | null;
}

export interface CompletionCall extends ComposedCall {
  readonly id: string;
}

export function completionOf(asked: Asked, reply: ComposedReply, identity: Identity): Completion {
  const { seed, tenant, channel, n, nowMs } = identity;
  const { request, promptTokens } = asked;
  const prompt = promptOf(request);
  const topLogprobs = request.logprobs === true ? (request.top_logprobs ?? 0) : null;
  const answers = [
    composeAnswer(prompt, reply, seed),
    ...Array.from({ length: (request.n ?? 1) - 1 }, (_, k) =>
      composeAnswer({ ...prompt, conversation: `${prompt.conversation} ${k + 1}` }, reply, seed),
    ),
  ];
  const choices = answers.map(
    (answer, k): Choice => ({
      ...{ reasoning: answer.reasoning, text: answer.text, finish: answer.finish, topLogprobs },
      get textDeltas() {
        return answer.textDeltas;
      },
      calls: answer.calls.map((call, at) => ({
        ...call,
        id: call.id ?? `call_${seededId(24, seed, tenant, channel, n, ...(k === 0 ? [] : [k]), at)}`,
      })),
    }),
  );
  const [first, ...others] = choices;
  if (first === undefined) throw new RangeError('a completion has a choice');
  const sum = (count: (answer: ComposedAnswer) => number): number =>
    answers.reduce((all, answer) => all + count(answer), 0);
  const reasoning_tokens = sum((answer) => answer.reasoningTokens);
  const completion_tokens = sum((answer) => answer.completionTokens);
  return {
    id: `chatcmpl-${seededId(29, seed, tenant, channel, n)}`,
    created: Math.floor(nowMs / 1000),
    model: reply.model ?? request.model,
    fingerprint: fingerprintOf(seed, request.model),
    ...{
      reasoning: first.reasoning,
      text: first.text,
      calls: first.calls,
      finish: first.finish,
      topLogprobs,
    },
    get textDeltas() {
      return first.textDeltas;
    },
    others,
    usage: renderUsage(reply.usage ?? { prompt_tokens: promptTokens, completion_tokens, reasoning_tokens }),
  };
}

/** A small cache: few models are in use at a time. */
const fingerprints = new Map<string, string>();
const maxFingerprints = 100;

function fingerprintOf(seed: number, model: string): string {
  const name = `${seed} ${model}`;
  const known = fingerprints.get(name);
  if (known !== undefined) return known;
  const fingerprint = `fp_${seededHex(10, seed, model)}`;
  if (fingerprints.size >= maxFingerprints) fingerprints.clear();
  fingerprints.set(name, fingerprint);
  return fingerprint;
}

/** The answer as one JSON document, indented by two. */
export function completionText(completion: Completion): string {
  const isPlain =
    completion.calls.length === 0 && completion.reasoning === null && completion.topLogprobs === null;
  if (!isPlain || completion.others.length > 0) return JSON.stringify(renderCompletion(completion), null, 2);
  const { id, created, model, fingerprint, text, finish, usage } = completion;
  // The same text as from JSON.stringify, in a third of the time.
  return `{
  "id": "${id}",
  "object": "chat.completion",
  "created": ${created},
  "model": ${JSON.stringify(model)},
  "choices": [
    {
      "index": 0,
      "message": {
        "role": "assistant",
        "content": ${JSON.stringify(text)},
        "refusal": null,
        "annotations": []
      },
      "logprobs": null,
      "finish_reason": "${finish}"
    }
  ],
  "usage": ${usageText(usage)},
  "service_tier": "default",
  "system_fingerprint": "${fingerprint}"
}`;
}

export function renderCompletion(completion: Completion): object {
  const { id, created, model, fingerprint, usage, others } = completion;
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [completion, ...others].map(renderChoice),
    usage,
    service_tier: 'default',
    system_fingerprint: fingerprint,
  };
}

function renderChoice({ reasoning, text, calls, finish, topLogprobs }: Choice, index: number): object {
  const toolCalls = calls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }));
  const message = {
    role: 'assistant',
    content: text,
    // The provider itself has no such member, but compatible providers show their reasoning there.
    ...(reasoning === null ? {} : { reasoning_content: reasoning }),
    ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
    refusal: null,
    annotations: [],
  };
  const logprobs = topLogprobs === null ? null : logprobsOf(text ?? '', topLogprobs);
  return { index, message, logprobs, finish_reason: finish };
}
