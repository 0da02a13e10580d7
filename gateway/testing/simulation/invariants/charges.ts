import { answerIn, type CallerRequest } from '../world/caller.ts';
import type { UpstreamCall } from '../world/calls.ts';
import { chatCharge, taskCharge } from '../world/prices.ts';
import { type Invariant, must, type View } from '../world/view.ts';

/** Every record is of a request, at the price of one answer; every answer has its record before it is given. */
export function charges(): Invariant {
  /** The chat calls of each request that told what they used. */
  const ended = new Map<string, UpstreamCall[]>();
  const seen = new Set<string>();
  const costs = (call: UpstreamCall): bigint => {
    const { promptTokens, completionTokens } = call.usage ?? { promptTokens: 0, completionTokens: 0 };
    return chatCharge(call.model ?? '', promptTokens, completionTokens);
  };
  const ofRequest = (requestId: string): readonly UpstreamCall[] => ended.get(requestId) ?? [];
  return {
    name: 'charges',
    reads: ({ records }) => [records],
    began: (call) => {
      if (call.requestId === null) return;
      const known = ended.get(call.requestId) ?? [];
      ended.set(call.requestId, [...known, call]);
    },
    committed: (view) => {
      for (const record of view.tables.records.all()) {
        if (seen.has(record.requestId)) continue;
        seen.add(record.requestId);
        const { requestId, outcome, charge, taskId, modelServed } = record;
        const request = view.requests.get(requestId);
        must(request !== undefined, () => `a record of ${requestId}, which nobody asked for`);
        if (taskId !== null) {
          const expected = outcome === 'success' ? taskCharge(modelServed) : 0n;
          must(charge === expected, () => `${taskId} costs ${charge} and not ${expected} after ${outcome}`);
          continue;
        }
        const fits = ofRequest(requestId).some(
          (call) => call.model === modelServed && costs(call) === charge,
        );
        const isFree = charge === 0n && outcome !== 'success';
        must(isFree || fits, () => `${requestId} costs ${charge} for ${outcome}, as no call of it does`);
      }
    },
    answered: (request, answer, view) => {
      if (request.kind === 'chat' || request.kind === 'stream') {
        const text = answerIn(answer, request.kind === 'stream');
        if (text !== null) chatIsCharged(request, text, view, costs);
      }
      if ((request.kind === 'voice' || request.kind === 'video') && answer.status === 200) {
        const { task_id: taskId }: { task_id: string } = JSON.parse(answer.body);
        must(view.tables.tasks.has(taskId), () => `${taskId} was acknowledged and is not stored`);
      }
    },
  };
}

function chatIsCharged(
  { requestId }: CallerRequest,
  text: string,
  { tables, calls }: View,
  costs: (call: UpstreamCall) => bigint,
): void {
  const call = calls.answering(text);
  const record = tables.records.get(requestId);
  must(call?.requestId === requestId, () => `${requestId} was answered with ${text}`);
  must(record !== undefined, () => `${requestId} is answered and not recorded`);
  const expected = call === null ? 0n : costs(call);
  must(
    record?.charge === expected,
    () => `${requestId} is charged ${record?.charge}, and its answer costs ${expected}`,
  );
}
