import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { Scene } from '../../engine/scene.ts';
import { answered, arrivedAsSent, paramIn, refused, refusesStream } from './message-calls.ts';

/** The requirements about what must reach the upstream. */
export const rowsOfArrival = [
  'COMPA-021',
  'COMPA-003',
  'COMPA-001',
  'COMPA-004',
  'COMPA-005',
  'COMPA-006',
  'COMPA-007',
] as const;

/** Fields of generated requests that a deployment may refuse. */
export const mayBeRefused = ['top_k', 'metadata', 'thinking'];

/** Sends a native request that must be accepted, and judges that it reached its upstream unchanged. */
export async function judgeArrival(
  { http, judge, cases }: CheckParts,
  scene: Scene,
  body: JsonObject,
  requirement: string,
  label = 'a native request',
): Promise<void> {
  const exchange = await http.compatA(body, { label });
  if (body.stream === true && refusesStream(judge, exchange)) return;
  const param = String(paramIn(exchange));
  if (exchange.response?.status === 400 && mayBeRefused.includes(param)) {
    refused(judge, exchange, { requirement: 'COMPA-002', aspect: 'refused', codes: ['invalid_param'] });
    judge.note(`refuses the native field ${param} (reading B-92)`);
    return;
  }
  answered(cases, exchange, body, { requirement, aspect: 'request-served' });
  await arrivedAsSent(scene, body, exchange, requirement);
}
