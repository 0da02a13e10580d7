import { byText, type Statement, type StatementCall, selected, textAt, written } from './statement.ts';

type Leases = ReadonlyMap<string, number>;

const takeLease: Statement = {
  name: 'take lease',
  matches: /^insert into slot_leases as known \(user_id, leases\)/,
  run: (call) => {
    const { leases } = call.tables;
    const [user, id] = [textAt(call, 0), textAt(call, 1)];
    const [lastsMs, cap] = [Number(call.params[2]), Number(call.params[3])];
    if (cap <= 0) return written(0);
    const known = leases.get(user);
    const valid = [...(known ?? [])].filter(([, until]) => until > call.nowMs);
    if (known !== undefined && valid.length >= cap) return written(0);
    leases.set(user, new Map([...valid, [id, call.nowMs + lastsMs]]));
    return written(1, [{ user_id: user }]);
  },
};

const dropLease: Statement = {
  name: 'give a lease back',
  matches: /^update slot_leases set leases = leases - \$1::text\[\] where user_id = \$2$/,
  run: (call) => {
    const user = textAt(call, 1);
    const known = call.tables.leases.get(user);
    if (known === undefined) return written(0);
    call.tables.leases.set(user, new Map([...known].filter(([id]) => !listAt(call, 0).includes(id))));
    return written(1);
  },
};

const renewLeases: Statement = {
  name: 'renew leases',
  matches: /^with known as \( select user_id from slot_leases where user_id = any\(\$1::text\[\]\)/,
  run: (call) => {
    const [users, ids] = [listAt(call, 0), listAt(call, 1)];
    const untilMs = call.nowMs + Number(call.params[2]);
    const renewed = (known: Leases): Leases =>
      new Map([...known].map(([id, until]) => [id, ids.includes(id) ? untilMs : until]));
    return written(changeEach(call, (user) => users.includes(user), renewed));
  },
};

const holdersOfLeases: Statement = {
  name: 'holders of leases',
  matches: /^select distinct split_part\(key, '\/', 1\) as holder from slot_leases/,
  run: (call) => {
    const ids = [...(call.tables.leases.get(textAt(call, 0)) ?? new Map()).keys()];
    const holders = new Set(ids.filter((id) => id.includes('/')).map(holderOf));
    return selected([...holders].sort(byText).map((holder) => ({ holder })));
  },
};

const dropLeasesOfHolder: Statement = {
  name: 'free leases of a holder',
  matches: /^with known as \( select user_id from slot_leases where exists/,
  run: (call) => {
    const gone = textAt(call, 0);
    const { leases } = call.tables;
    const hasAny = (user: string): boolean =>
      [...(leases.get(user) ?? new Map()).keys()].some((id) => holderOf(id) === gone);
    return written(
      changeEach(call, hasAny, (known) => new Map([...known].filter(([id]) => holderOf(id) !== gone))),
    );
  },
};

const countLeases: Statement = {
  name: 'count leases',
  matches: /^select user_id as "userId", count\(\*\)::integer as held from slot_leases/,
  run: (call) => {
    const asked = call.text.includes('where user_id = $1')
      ? [textAt(call, 0)]
      : call.tables.leases.keys().sort(byText);
    const rows = asked.flatMap((userId) => {
      const valid = [...(call.tables.leases.get(userId) ?? new Map<string, number>()).values()];
      const held = valid.filter((until) => until > call.nowMs).length;
      return held === 0 ? [] : [{ userId, held }];
    });
    return selected(rows);
  },
};

function changeEach(
  { tables: { leases } }: StatementCall,
  isMeant: (user: string) => boolean,
  change: (known: Leases) => Leases,
): number {
  const users = leases.keys().filter(isMeant);
  for (const user of users) leases.set(user, change(leases.get(user) ?? new Map()));
  return users.length;
}

function listAt({ params }: StatementCall, at: number): string[] {
  const value = params[at];
  return Array.isArray(value) ? value.map(String) : [];
}

/** The process that a lease names. */
function holderOf(id: string): string {
  return id.split('/', 1)[0] ?? '';
}

/** The statements of access/lease-slots.ts and access/gone-leases.ts. */
export const leaseStatements: readonly Statement[] = [
  takeLease,
  dropLease,
  renewLeases,
  holdersOfLeases,
  dropLeasesOfHolder,
  countLeases,
];
