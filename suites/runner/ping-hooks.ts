import { controlOf } from '../engine/clock-control.ts';
import { boundedCall } from '../process/bounded-call.ts';
import type { Profile } from '../profile/profile.ts';

type HookName = keyof Profile['hooks'];

/** A request that changes nothing, and that a working hook answers with one of these statuses. */
interface Ping {
  readonly query?: string;
  readonly body?: object;
  readonly answers: readonly number[];
}

const pings: Readonly<Record<HookName, Ping>> = {
  clock: { answers: [200] },
  store: { answers: [200] },
  // Asks about a request that does not exist.
  usage: { query: '?request_id=none', answers: [200] },
  ledger: { query: '?request_id=none', answers: [200] },
  balance: { answers: [200] },
  // The hook rejects this body, because it names no account to copy.
  accounts: { body: {}, answers: [400, 422] },
};

/** How long a hook has for its whole answer, ms. */
const withinMs = 5_000;

/** The profile without hooks that do not answer correctly, and one message for each removed hook. */
export async function pingHooks(profile: Profile): Promise<{ kept: Profile; lost: string[] }> {
  const lost: string[] = [];
  let kept = await withUpstream(profile, lost);
  for (const name of Object.keys(pings) as HookName[]) {
    const hook = kept.hooks[name];
    if (hook === undefined) continue;
    const token = 'token' in hook ? hook.token : (profile.tenants[0]?.keys.K1 ?? profile.keys.K1);
    const { query = '', body, answers } = pings[name];
    const status = await statusOf(hook.url + query, token, body);
    if (answers.some((good) => good === status)) continue;
    lost.push(`hooks.${name}: ${hook.url} answers ${status}`);
    const { [name]: _, ...others } = kept.hooks;
    kept = { ...kept, hooks: others };
  }
  if (kept.admin !== undefined) {
    const status = await statusOf(kept.admin.url, kept.admin.token);
    if (status !== 200) {
      lost.push(`admin: ${kept.admin.url} answers ${status}`);
      const { admin: _, ...others } = kept;
      kept = others;
    }
  }
  return { kept, lost };
}

async function withUpstream(profile: Profile, lost: string[]): Promise<Profile> {
  if (profile.upstream === undefined) return profile;
  const control = controlOf(profile, profile.upstream);
  try {
    await control.health({ signal: AbortSignal.timeout(withinMs) });
    return profile;
  } catch (error) {
    const { upstream, ...rest } = profile;
    lost.push(`upstream.control: ${upstream.control} does not answer (${(error as Error).message})`);
    return rest;
  } finally {
    await control.close();
  }
}

async function statusOf(url: string, token: string, body?: object): Promise<number | string> {
  try {
    const { status } = await boundedCall(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      withinMs,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return status;
  } catch (error) {
    return (error as Error).message;
  }
}
