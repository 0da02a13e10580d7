import { rowOfRefusal } from '../../../oracle/faults/fault-rows.ts';
import { must } from '../../../rules/violation.ts';
import type { Attempt } from '../attempt.ts';

/** Judges that no redirect was followed: it would leak the gateway's own key to another host. */
export async function judgeNotFollowed({ scene, live, verdict }: Attempt): Promise<void> {
  const hosts = (await scene.requestsNow()).map(({ headers }) => headers.get('host') ?? '');
  const elsewhere = hosts.find((host) => host !== hosts[0]);
  must(elsewhere === undefined, {
    requirement: rowOfRefusal(verdict),
    aspect: 'fault-redirect',
    expected: `requests at ${hosts[0]} alone`,
    actual: `one at ${elsewhere}`,
    exchange: await live.done,
  });
}
