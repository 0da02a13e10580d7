import type { Check } from '../../engine/check.ts';
import { fieldChecks } from '../../steps/fields/field-check.ts';
import { actionChecks } from './actions.ts';
import { chainChecks } from './chain.ts';
import { deepChains } from './deep-chain.ts';
import { parentChecks } from './parents.ts';
import { parentsChannel } from './parents-channel.ts';

/** The area SONG: song-v5 and its fourteen actions. */
export const songChecks: readonly Check[] = [
  ...fieldChecks('song', ({ id }) => id === 'song-v5'),
  ...parentChecks,
  ...actionChecks,
  ...chainChecks,
  deepChains,
  parentsChannel,
];
