import type { Dialect } from '../../profile/dialects.ts';
import type { Call } from './call.ts';

/** Whether what a call asks for lets its answer differ from what the upstream said: the gateway does some of it itself. */
export function mayDiffer({ protocol, request }: Call, theirs: Dialect): boolean {
  if (protocol !== 'chat') return false;
  const { response_format: format, stop } = request ?? {};
  // A dialect without forced JSON gets it by a tool, and stops that it refuses are enforced here.
  const isForced = format !== undefined && format !== null && theirs === 'messages';
  return isForced || [stop ?? []].flat().length > 0;
}
