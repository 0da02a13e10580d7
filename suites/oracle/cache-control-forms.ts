import type { CellVerdict } from './cell-verdict.ts';
/**
 * A way to write `cache_control` on a block of a request to a beta-* model, with the verdict of the
 * specification and its readings.
 */
export interface CacheControlForm {
  readonly title: string;
  readonly value: unknown;
  readonly verdict: CellVerdict;
  readonly requirement: 'MSG-027' | 'MSG-028';
  readonly aspect: string;
}

const forms = (
  rule: Pick<CacheControlForm, 'verdict' | 'requirement' | 'aspect'>,
  values: Readonly<Record<string, unknown>>,
): CacheControlForm[] => Object.entries(values).map(([title, value]) => ({ ...rule, title, value }));

const ephemeral = (ttl: unknown): object => ({ type: 'ephemeral', ttl });

/** Its type ("Message roles", content blocks). */
export const cacheTypeForms: readonly CacheControlForm[] = [
  ...forms(
    { verdict: 'accept', requirement: 'MSG-027', aspect: 'ephemeral-accepted' },
    { 'type ephemeral': { type: 'ephemeral' } },
  ),
  ...forms(
    { verdict: 'refuse', requirement: 'MSG-027', aspect: 'other-type' },
    {
      'type persistent': { type: 'persistent' },
      'an empty type': { type: '' },
      'type 5': { type: 5 },
      'type EPHEMERAL': { type: 'EPHEMERAL' },
    },
  ),
  ...forms(
    { verdict: 'open', requirement: 'MSG-027', aspect: 'clean-either-way' },
    {
      'no type': {},
      'type null': { type: null },
      'cache_control null': null,
      'cache_control as a string': 'ephemeral',
    },
  ),
];

/** Its ttl: the one hour that the specification names, and five minutes without one (reading B-29). */
export const cacheTtlForms: readonly CacheControlForm[] = [
  ...forms(
    { verdict: 'accept', requirement: 'MSG-028', aspect: 'ttl-accepted' },
    { 'ttl 1h': ephemeral('1h'), 'no ttl': { type: 'ephemeral' } },
  ),
  ...forms(
    { verdict: 'open', requirement: 'MSG-028', aspect: 'clean-either-way' },
    { 'ttl 5m': ephemeral('5m') },
  ),
  ...forms(
    { verdict: 'refuse', requirement: 'MSG-028', aspect: 'other-ttl' },
    { 'ttl 2h': ephemeral('2h'), 'ttl 1d': ephemeral('1d') },
  ),
  ...forms(
    { verdict: 'open', requirement: 'MSG-028', aspect: 'clean-either-way' },
    { 'ttl null': ephemeral(null), 'an empty ttl': ephemeral(''), 'ttl 3600': ephemeral(3_600) },
  ),
];
