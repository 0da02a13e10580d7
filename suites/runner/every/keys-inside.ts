import type { JournalEntry } from 'gatecheck-simulators/client';
import { flag } from '../../rules/violation.ts';

/**
 * Judges that no request to an upstream carries a caller's key in its path or its headers ("Authentication"): calls, polls,
 * reads of files and counts of tokens. Bodies hold what callers say, so a key may stand there.
 * @param keys the keys of all callers; none of them is shown
 */
export function judgeKeysInside(entries: readonly JournalEntry[], keys: readonly string[]): void {
  const carries = (text: string): boolean => keys.some((key) => text.includes(key));
  for (const { channel, request } of entries) {
    const places = [
      ...(carries(request.path) ? ['its path'] : []),
      ...request.headers.filter(([, value]) => carries(value)).map(([name]) => `its header ${name}`),
    ];
    flag(places.length === 0, {
      ...{ requirement: 'AUTH-020', aspect: 'key-stays-inside' },
      expected: "an upstream request with the gateway's own credential",
      actual: `a ${request.method} to ${channel} with the caller's key in ${places.join(' and ')}`,
    });
  }
}
