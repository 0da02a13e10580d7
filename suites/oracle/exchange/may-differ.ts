import type { Dialect } from '../../profile/dialects.ts';
import type { Call } from './call.ts';

/** Whether the answer to this request may differ from the upstream's, because the gateway implements a part itself. */
export function mayDiffer({ protocol, request }: Call, theirs: Dialect): boolean {
  if (protocol !== 'chat') return false;
  const { response_format: format, stop } = request ?? {};
  // A gateway emulates forced JSON by a tool where the dialect lacks it, and enforces unsupported stops itself.
  const isForced = format !== undefined && format !== null && theirs === 'messages';
  return isForced || [stop ?? []].flat().length > 0;
}
