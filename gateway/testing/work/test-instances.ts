import type { Instances } from '../../work/instances.ts';

// For tests only.

/** A process of this name beside others, of which those that `isGone` names are gone; nobody takes it for gone. */
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
