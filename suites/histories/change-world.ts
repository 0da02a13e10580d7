import type { KeySpec, TestAccount } from '../engine/test-accounts.ts';
import type { KeyState } from '../oracle/world/world.ts';
import type { Change, HistoryWay } from './history.ts';
import { barredRange, mainUser, quotaOf, type Stage } from './stage.ts';

const keySpecs: Readonly<Record<KeyState, KeySpec>> = {
  live: { disabled: false, expires_at: null, allow: [] },
  disabled: { disabled: true },
  expired: { expires_at: '2020-01-01T00:00:00Z' },
  barred: { allow: [barredRange] },
};

/** Brings the key at this place of an account into a state. */
export async function setKeyState(account: TestAccount, place: number, state: KeyState): Promise<void> {
  const id = account.keys[place]?.id ?? '';
  await account.change({ keys: { [id]: { ...keySpecs.live, ...keySpecs[state] } } });
}

/** A grant, in dollars: far more than the calls of a history cost. */
export const granted = '200';

/** Makes a change at the deployment, and notes it in the world. */
export async function makeChange(stage: Stage, change: Change): Promise<void> {
  const { main, world } = stage;
  switch (change.what) {
    case 'key': {
      await setKeyState(main, change.key === 'first' ? 0 : 1, change.state);
      world.setKey(change.key, { account: 'main', user: mainUser, state: change.state });
      return;
    }
    case 'cap': {
      await main.change({ caps: { [main.users[0] ?? '']: change.cap } });
      world.setCap(mainUser, change.cap);
      return;
    }
    case 'model': {
      const hidden =
        change.hidden === false ? [] : modelsOf(stage, change.hidden === 'all' ? null : change.way);
      const left = change.hidden === 'all' ? [] : modelsWithout(stage, hidden);
      await main.change({ models: hidden.length === 0 ? 'all' : left });
      world.hide('main', hidden);
      return;
    }
    case 'grant':
      return main.change({ grant: granted });
    case 'markup':
      return main.change({ apps: { [main.apps[0] ?? '']: { markup_bp: change.bp } } });
    case 'quota': {
      await main.change({ monthly_tokens: change.spent ? 0 : quotaOf(stage.draw) });
      world.setSpent('main', change.spent);
      return;
    }
  }
}

/** Restores the state of the beginning. */
export async function undoChanges(stage: Stage): Promise<void> {
  const { value: cap } = stage.parts.target.profile.cap;
  for (const key of ['first', 'second'] as const)
    if (stage.world.key(key).state !== 'live') await makeChange(stage, { what: 'key', key, state: 'live' });
  if (stage.world.capOf(mainUser) !== cap) await makeChange(stage, { what: 'cap', cap });
  if (stage.world.isSpent('main')) await makeChange(stage, { what: 'quota', spent: false });
  await makeChange(stage, { what: 'model', way: 'core', hidden: false });
}

/** The model of a history for one endpoint, or those for all of them. */
function modelsOf({ models }: Stage, way: HistoryWay | null): string[] {
  return (way === null ? Object.values(models) : [models[way]]).filter((model) => model !== undefined);
}

function modelsWithout({ parts: { target } }: Stage, hidden: readonly string[]): string[] {
  return [...target.models, ...target.mediaModels].filter((model) => !hidden.includes(model));
}
