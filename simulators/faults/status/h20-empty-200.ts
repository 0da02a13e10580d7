import type { Fault } from '../../fault-contract/fault.ts';
import { ofUpstream, oneBody } from '../native/refusal.ts';

/** The head of a successful answer of the requested kind, and no body. */
export const empty200: Fault = {
  id: 'H20',
  kind: 'instead',
  answer: (context) => {
    const contentType = context.call === 'stream' ? 'text/event-stream' : 'application/json';
    const empty = { status: 200, headers: { 'content-type': contentType }, body: Buffer.alloc(0) };
    return ofUpstream(oneBody(context.dialect, empty), context);
  },
};
