import type { NativeAnswer } from '../../answers/native-answer.ts';
import type { Fault, FaultContext, JobFault } from '../../fault-contract/fault.ts';
import { ofForm, oneBody } from '../native/refusal.ts';

/** How long a link of the last form works, ms. */
const shortLifeMs = 60_000;

/** The job's files cannot be downloaded: never, not on the first read, or only for a short time. */
export const urlExpired: Fault = {
  id: 'J9',
  kind: 'job',
  plan: (context): JobFault => ofForm(context, plansFor(context)),
};

const plansFor = ({ waitMs }: FaultContext): Readonly<Record<string, JobFault>> => ({
  forbidden: { file: (given) => storageError(given, 403, 'AccessDenied') },
  'not-found': { file: (given) => storageError(given, 404, 'NoSuchKey') },
  'first-read': {
    file: (given, { nth }) => (nth === 1 ? storageError(given, 403, 'AccessDenied') : given),
  },
  'short-lived': { life: { link_life_ms: waitMs ?? shortLifeMs } },
});

/** The answer of an object store to an expired link. */
function storageError({ dialect }: NativeAnswer, status: number, code: string): NativeAnswer {
  const words = 'The link has expired or the object was removed from the bucket.';
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${words}</Message></Error>\n`;
  return oneBody(dialect, {
    status,
    headers: { 'content-type': 'application/xml' },
    body: Buffer.from(body),
  });
}
