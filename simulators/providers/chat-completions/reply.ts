import type { Finish, Reply } from '../../control/protocol.ts';
import { seededHex, seededId } from '../../random.ts';
import { type ComposedCall, type ComposedReply, composeAnswer } from '../composition/compose.ts';
import type { Identity } from '../identity.ts';
import { type Asked, askedOf, promptOf } from './asked.ts';
import type { ChatRequest } from './request.ts';
import { type NativeUsage, renderUsage, usageText } from './usage.ts';

/** The complete answer of the model, before it is rendered plain or as a stream. */
export interface Completion {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly model: string;
  readonly fingerprint: string;
  /** Null when the answer consists of calls alone. */
  readonly text: string | null;
  /** The text as a stream splits it. */
  readonly textDeltas: readonly string[];
  readonly calls: readonly CompletionCall[];
  readonly finish: Finish;
  readonly usage: NativeUsage;
}

export interface CompletionCall extends ComposedCall {
  readonly id: string;
}

export function composeCompletion(request: ChatRequest, reply: Reply, identity: Identity): Completion {
  return completionOf(askedOf(request), reply, identity);
}

export function completionOf(asked: Asked, reply: ComposedReply, identity: Identity): Completion {
  const { seed, tenant, channel, n, nowMs } = identity;
  const { request, promptTokens } = asked;
  const answer = composeAnswer(promptOf(request), reply, seed);
  const counted = { prompt_tokens: promptTokens, completion_tokens: answer.completionTokens };
  return {
    id: `chatcmpl-${seededId(29, seed, tenant, channel, n)}`,
    created: Math.floor(nowMs / 1000),
    model: reply.model ?? request.model,
    fingerprint: fingerprintOf(seed, request.model),
    text: answer.text,
    get textDeltas() {
      return answer.textDeltas;
    },
    calls: answer.calls.map((call, at) => ({
      ...call,
      id: call.id ?? `call_${seededId(24, seed, tenant, channel, n, at)}`,
    })),
    finish: answer.finish,
    usage: renderUsage(reply.usage ?? counted),
  };
}

/** Those of the last models, of which there are few. */
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
  if (completion.calls.length > 0) return JSON.stringify(renderCompletion(completion), null, 2);
  const { id, created, model, fingerprint, text, finish, usage } = completion;
  // What JSON.stringify makes of it, in a third of the time.
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
  const { id, created, model, fingerprint, text, calls, finish, usage } = completion;
  const toolCalls = calls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }));
  const message = {
    role: 'assistant',
    content: text,
    ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
    refusal: null,
    annotations: [],
  };
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
    usage,
    service_tier: 'default',
    system_fingerprint: fingerprint,
  };
}
