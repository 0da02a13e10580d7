import type { Instances } from '../../work/instances.ts';

// For tests only.

/** A process of this name among others. `isGone` says which others are dead; no process declares this one dead. */
export function sharedInstance(own: string, isGone: (other: string) => boolean = () => false): Instances {
  return {
    own,
    isShared: true,
    isCurrent: true,
    join: async () => {},
    rejoined: async () => {},
    onFenced: () => {},
    forEachGone: async (others, work) => {
      for (const other of others) if (isGone(other)) await work(other);
    },
    leave: async () => {},
  };
}

/** A process that others declare dead, and that returns under a new name each time. */
export function sleepingInstance(name: string): { holders: Instances; comeBack: () => Promise<void> } {
  let [own, wakes] = [name, 1];
  let hearer = async (): Promise<void> => {};
  const holders: Instances = {
    ...sharedInstance(name),
    get own() {
      return own;
    },
    onFenced: (hear) => {
      hearer = hear;
    },
  };
  return {
    holders,
    comeBack: () => {
      wakes += 1;
      own = `${name}.${wakes}`;
      return hearer();
    },
  };
}
