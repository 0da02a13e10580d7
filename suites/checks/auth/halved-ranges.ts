import { defineCheck } from '../../engine/check.ts';
import type { Accounts } from '../../engine/parts/accounts.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { TestAccount } from '../../engine/test-accounts.ts';
import { modelsRoute } from '../../oracle/core-routes.ts';
import { flag, must, part } from '../../rules/violation.ts';
import { callRoute, judgeServed } from '../../steps/routes/call-route.ts';
import { type Exchange, outcomeOf } from '../../wire/exchange.ts';

/** Whether the call of one key was let in. */
interface Asked {
  readonly isIn: boolean;
  readonly exchange: Exchange;
}

/** The addresses of one IP version, in the notation of CIDR. */
interface Family {
  readonly name: string;
  readonly bits: number;
  readonly text: (address: bigint) => string;
  /** A range for documentation, from which no call comes. */
  readonly unused: string;
}

const families: readonly Family[] = [
  { name: 'IPv4', bits: 32, unused: '203.0.113.0/24', text: (address) => partsOf(address, 4, 8).join('.') },
  {
    name: 'IPv6',
    bits: 128,
    unused: '2001:db8::/32',
    text: (address) =>
      partsOf(address, 8, 16)
        .map((part) => part.toString(16))
        .join(':'),
  },
];

/** How many bits of the address one round finds. */
const bitsAtOnce = 4;
/** How many prefix lengths are judged on one account, and of each IP version in a quick run. */
const lengthsAtOnce = 32;

export const rangesAreHalved = defineCheck({
  id: 'auth.ip.halves',
  title: 'of the halves of an allowed IP range exactly one admits the caller, at any prefix length',
  requirements: ['AUTH-011', 'AUTH-010'],
  kind: 'metamorphic',
  needs: ['hooks.accounts'],
  run: async (parts) => {
    const { accounts, judge } = parts;
    const account = await accounts.create({ keys: Array.from({ length: 2 ** bitsAtOnce }, () => ({})) });
    const everywhere = families.map(({ text }) => [`${text(0n)}/0`]);
    const lets = await letIn(parts, account, everywhere);
    const open = families.filter((_, place) => lets[place]?.isIn === true);
    must(open.length > 0, {
      requirement: 'AUTH-011',
      aspect: 'all-addresses',
      expected: 'all addresses of IPv4, or all of IPv6, let a caller in',
      actual: 'neither does',
      exchange: lets.at(-1)?.exchange,
    });
    for (const family of families)
      if (!open.includes(family)) judge.note(`not called over ${family.name}: it was not judged`);
    const [family, other] = open;
    if (family === undefined) return;
    const address = await findAddress(parts, account, family);
    await part(() => judgeLengths(parts, family, address));
    await part(() => judgeLists(parts, family, address));
    if (other === undefined) return;
    // An IPv4 caller has an IPv6 form, which the ranges of that version may hold (reading B-147).
    const mapped = (0xffffn << 32n) | address;
    const [itself] = await letIn(parts, account, [[`${other.text(mapped)}/${other.bits}`]]);
    if (itself?.isIn) await part(() => judgeLengths(parts, other, mapped));
    else judge.note(`an IPv4 caller is in no small range of ${other.name}`);
  },
});

/** Narrows the range that lets the caller in to one address, which is the caller's own. */
async function findAddress(parts: CheckParts, account: TestAccount, { bits, text }: Family): Promise<bigint> {
  let base = 0n;
  for (let length = bitsAtOnce; length <= bits; length += bitsAtOnce) {
    parts.cases.count();
    const pieces = account.keys.map((_, index) => base + (BigInt(index) << BigInt(bits - length)));
    const inside = await letIn(
      parts,
      account,
      pieces.map((piece) => [`${text(piece)}/${length}`]),
    );
    const [own, ...more] = pieces.filter((_, place) => inside[place]?.isIn);
    judgeParts(
      inside,
      `the ${pieces.length} parts of ${text(base)}/${length - bitsAtOnce}`,
      own,
      more.length,
    );
    base = own ?? 0n;
  }
  return base;
}

function judgeParts(asked: readonly Asked[], parts: string, own: bigint | undefined, more: number): void {
  must(own !== undefined && more === 0, {
    requirement: 'AUTH-011',
    aspect: own === undefined ? 'no-part' : 'many-parts',
    expected: `the caller let in by one of ${parts}`,
    actual: own === undefined ? 'by none' : `by ${more + 1} of them`,
    // One that was let in and should not have been, or the last that was refused.
    exchange: asked.findLast(({ isIn }) => isIn === more > 0)?.exchange,
  });
}

/** Judges both halves of each range around the address. */
async function judgeLengths(parts: CheckParts, { bits, text }: Family, address: bigint): Promise<void> {
  const { cases, accounts, rng } = parts;
  const all = Array.from({ length: bits }, (_, index) => index + 1);
  const lengths = cases.full ? all : rng.shuffle(all).slice(0, lengthsAtOnce);
  const ranges = lengths.map((length) => {
    const rest = BigInt(bits - length);
    const own = (address >> rest) << rest;
    return { length, own: `${text(own)}/${length}`, other: `${text(own ^ (1n << rest))}/${length}` };
  });
  for (let first = 0; first < lengths.length; first += lengthsAtOnce) {
    const group = ranges.slice(first, first + lengthsAtOnce);
    const lists = group.flatMap(({ own, other }) => [[own], [other]]);
    const inside = await letIn(parts, await accountOf(accounts, lists), lists, true);
    for (const [place, { own, other }] of group.entries()) {
      cases.count();
      const halves = inside.slice(2 * place, 2 * place + 2);
      const more = halves.filter(({ isIn }) => isIn).length - 1;
      judgeParts(halves, `${own} and ${other}, the first`, halves[0]?.isIn === true ? 0n : undefined, more);
    }
  }
}

/** Judges lists of several ranges: one range that covers the caller is enough, at any position and with any other ranges. */
async function judgeLists(parts: CheckParts, family: Family, address: bigint): Promise<void> {
  const own = `${family.text(address)}/${family.bits}`;
  const other = `${family.text(address ^ 1n)}/${family.bits}`;
  const foreign = families.find(({ name }) => name !== family.name)?.unused ?? '';
  const many = Array.from(
    { length: 12 },
    (_, place) => `${family.text(address ^ BigInt(place + 1))}/${family.bits}`,
  );
  const covered = [
    [other, own],
    [own, other],
    [other, own, family.unused],
    [...many, own],
    [foreign, own],
    [own, foreign],
    [foreign, other, own],
    [other, foreign, own, family.unused],
    [foreign, family.unused, own],
  ];
  const uncovered = [
    [other, family.unused],
    many,
    [foreign, other],
    [other, foreign],
    [foreign, family.unused, other],
  ];
  const lists = [...covered, ...uncovered];
  const inside = await letIn(parts, await accountOf(parts.accounts, lists), lists, true);
  for (const [place, list] of lists.entries()) {
    parts.cases.count();
    const isCovered = place < covered.length;
    flag(inside[place]?.isIn === isCovered, {
      requirement: 'AUTH-011',
      aspect: aspectOf(isCovered, list.includes(foreign)),
      expected: `the caller at ${own} ${isCovered ? 'let in' : 'refused'} by the list ${list.join(', ')}`,
      actual: isCovered ? 'refused' : 'let in',
      exchange: inside[place]?.exchange,
    });
  }
}

function aspectOf(isCovered: boolean, isMixed: boolean): string {
  if (isMixed) return isCovered ? 'one-of-both-families' : 'none-of-both-families';
  return isCovered ? 'one-of-a-list' : 'none-of-a-list';
}

function accountOf(accounts: Accounts, lists: readonly (readonly string[])[]): Promise<TestAccount> {
  return accounts.create({ keys: lists.map((allow) => ({ allow })) });
}

/**
 * Gives each key of the account one of these lists, unless it `has` them already. Returns for each key whether it is let in.
 */
async function letIn(
  parts: CheckParts,
  { keys, change }: TestAccount,
  lists: readonly (readonly string[])[],
  has = false,
): Promise<Asked[]> {
  const used = keys.slice(0, lists.length);
  const given = used.map(({ id }, place) => [id, { allow: lists[place] ?? [] }] as const);
  if (!has) await change({ keys: Object.fromEntries(given) });
  const calls = used.map(async ({ secret }, place) => {
    const exchange = await callRoute(parts, modelsRoute, {
      label: `allowed: ${lists[place]?.join(', ')}`,
      headers: { authorization: `Bearer ${secret}` },
    });
    const isIn = outcomeOf(exchange) === 'HTTP 200';
    if (isIn)
      judgeServed(parts, modelsRoute, exchange, { requirement: 'AUTH-011', aspect: 'inside', model: '' });
    else
      parts.judge.refused(exchange, {
        requirement: 'AUTH-010',
        aspect: 'outside',
        codes: ['ip_not_allowed'],
      });
    return { isIn, exchange };
  });
  return Promise.all(calls);
}

/** Cuts a number into `count` parts of `bits` bits, highest first. */
function partsOf(value: bigint, count: number, bits: number): bigint[] {
  const mask = (1n << BigInt(bits)) - 1n;
  return Array.from({ length: count }, (_, place) => (value >> BigInt((count - 1 - place) * bits)) & mask);
}
