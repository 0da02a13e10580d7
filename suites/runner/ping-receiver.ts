import { randomBytes } from 'node:crypto';
import { Agent, request } from 'undici';
import type { Profile } from '../profile/profile.ts';
import type { RunningReceiver } from '../profile/webhooks.ts';
import { ReceiverControl } from '../receiver/client.ts';

/** The time limit for a connection, for an answer, and for our test event, ms. */
const arrivesWithinMs = 5_000;

/**
 * The profile without unreachable receivers, and one message for each of them. It tests the suites' own receiver,
 * by the URL that the deployment gets, and the kit's receiver. It sends a real event, because an event that
 * arrives proves more than a declaration.
 */
export async function pingReceivers(
  profile: Profile,
  withinMs: number = arrivesWithinMs,
): Promise<{ kept: Profile; lost: string[] }> {
  const [own, kitFault] = await Promise.all([
    pingReceiver(profile, withinMs),
    faultOfKit(profile.webhooks.kit?.url),
  ]);
  if (kitFault === null) return own;
  const { kit: _, ...webhooks } = own.kept.webhooks;
  return { kept: { ...own.kept, webhooks }, lost: [...own.lost, `webhooks.kit: ${kitFault}`] };
}

async function pingReceiver(profile: Profile, withinMs: number): Promise<{ kept: Profile; lost: string[] }> {
  const { receiver } = profile.webhooks;
  if (receiver === undefined) return { kept: profile, lost: [] };
  const reason =
    'control' in receiver
      ? await faultOf(receiver, withinMs)
      : 'it was not started: only `gatecheck run` does that';
  if (reason === null) return { kept: profile, lost: [] };
  const { receiver: _, ...webhooks } = profile.webhooks;
  return { kept: { ...profile, webhooks }, lost: [`webhooks.receiver: ${reason}`] };
}

/** Why our event does not arrive; null when it arrives. */
async function faultOf(
  { control: controlUrl, token }: RunningReceiver,
  withinMs: number,
): Promise<string | null> {
  const control = new ReceiverControl(controlUrl, token);
  try {
    const { url, ca_pem: ca } = await control.health();
    // A remote receiver may be in a network that only the deployment can reach.
    if (token !== undefined) return null;
    const scope = `ping-${randomBytes(9).toString('hex')}`;
    await control.plan(scope, []);
    const fault = await post(`${url}/${scope}`, ca);
    if (fault !== null) return `${url} ${fault}`;
    const { satisfied } = await control.events(scope, { count: 1, waitMs: withinMs });
    return satisfied ? null : `${url} answers, but is another server than the receiver of this run`;
  } catch (error) {
    return `${controlUrl} does not answer (${reasonOf(error)})`;
  } finally {
    await control.close();
  }
}

/** The kit's receiver refuses unsigned events, so any answer is enough. */
async function faultOfKit(url: string | undefined): Promise<string | null> {
  const fault = url === undefined ? null : await post(url, null);
  return fault?.startsWith('cannot') ? `${url} ${fault}` : null;
}

async function post(url: string, ca: string | null): Promise<string | null> {
  const agent = new Agent({ connect: { timeout: arrivesWithinMs, ...(ca === null ? {} : { ca }) } });
  try {
    const answer = await request(url, {
      method: 'POST',
      dispatcher: agent,
      headersTimeout: arrivesWithinMs,
      // A body may arrive one byte at a time.
      signal: AbortSignal.timeout(2 * arrivesWithinMs),
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    await answer.body.dump();
    return answer.statusCode === 200 ? null : `answers HTTP ${answer.statusCode}`;
  } catch (error) {
    return `cannot be reached (${reasonOf(error)})`;
  } finally {
    await agent.close();
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const text = [code, message].filter((part) => typeof part === 'string' && part !== '').join(': ');
  return text === '' ? String(error) : text;
}
