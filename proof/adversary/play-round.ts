import { setTimeout as wait } from 'node:timers/promises';
import { callHook } from '../../suites/engine/call-hook.ts';
import { TestAccounts } from '../../suites/engine/test-accounts.ts';
import { type Pico, picoIn } from '../../suites/oracle/money.ts';
import type { Profile } from '../../suites/profile/profile.ts';
import { type Round, releasedWithinMs } from './books.ts';
import type { Strategy } from './strategies.ts';
import type { TakerParts } from './taker.ts';

const pollMs = 200;

/** Plays one round with its own account, and reads the charges from the account's balance. */
export async function playRound(
  { play, credits, cap }: Strategy,
  parts: Omit<TakerParts, 'account'> & { readonly mainKey: string },
): Promise<Round> {
  const { profile, mainKey, tenant } = parts;
  const accounts = new TestAccounts({
    ...{ profile, mainKey },
    signal: new AbortController().signal,
    onKey: () => {},
  });
  const account = await accounts.create({ credits, users: [{ cap }], apps: [{ markup_bp: 0 }], keys: [{}] });
  const { taken, mayBeFree = 0n, mayBeOwed = 0n } = await play({ ...parts, account });
  const { posted, isReleased } = await balanceAfter(account.id, profile);
  await tenant.reset();
  return {
    calls: taken.length,
    received: taken.reduce((sum, received) => sum + received, 0n),
    charged: amountIn(credits) - posted,
    owed: posted < 0n ? -posted : 0n,
    ...{ mayBeFree, mayBeOwed, isReleased },
  };
}

/** The balance once the account has no open hold. */
async function balanceAfter(
  account: string,
  { admin }: Pick<Profile, 'admin'>,
): Promise<{ posted: Pico; isReleased: boolean }> {
  if (admin === undefined) throw new Error('the stack has an admin token');
  for (const until = performance.now() + releasedWithinMs; ; await wait(pollMs)) {
    const url = `${admin.url}/${encodeURIComponent(account)}/balance`;
    const { posted, held } = JSON.parse(await callHook({ name: 'balance', url, token: admin.token })) as {
      readonly posted: string;
      readonly held: string;
    };
    const isReleased = amountIn(held) === 0n;
    if (isReleased || performance.now() > until) return { posted: amountIn(posted), isReleased };
  }
}

function amountIn(dollars: string): Pico {
  const amount = picoIn(dollars);
  if (amount === null) throw new Error(`${dollars} is no amount`);
  return amount;
}
