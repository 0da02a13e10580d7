import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { type UsageRecord, usageRecordsOf, usageRecordsWhere } from '../../engine/usage-record.ts';
import { must, Untestable } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** Labels that a query has to encode or quote, and a plain one. */
const labels = ['user-4711', 'Größe 🌊 & más=1?', 'a b+c%20d/e', '"quoted", \'too\'; --'];

export const userIsLogged = defineCheck({
  id: 'chat.user.logged',
  title: 'the value of user is in the usage log of its own request only, plain and streamed',
  requirements: ['CHAT-042'],
  kind: 'example',
  needs: ['hooks.usage'],
  run: async (parts) => {
    for (const [index, user] of labels.entries()) {
      parts.cases.count();
      const { record, exchange } = await logged(parts, {
        user,
        ...(index % 2 === 1 ? { stream: true } : {}),
      });
      judgeLabel(record.end_user ?? null, user, exchange);
    }
    const { record, exchange } = await logged(parts, {});
    judgeLabel(record.end_user ?? null, null, exchange);
  },
});

export const metadataIsSearchable = defineCheck({
  id: 'chat.metadata.searchable',
  title: 'a search of the usage log by metadata finds the matching requests and no others',
  requirements: ['CHAT-047'],
  kind: 'example',
  needs: ['hooks.usage'],
  run: async (parts) => {
    const { cases, newScene, target } = parts;
    for (const label of labels.slice(0, 2)) {
      cases.count();
      const project = `${label} ${newScene().marker}`;
      const first = await logged(parts, { metadata: { project, step: 'one', 'other key': label } });
      const second = await logged(parts, { metadata: { project, step: 'two' }, stream: true });
      const neither = await logged(parts, { metadata: { project: `${project}x`, step: 'one' } });
      const none = await logged(parts, {});
      await judgeSearch(target, { project }, [first, second], [neither, none]);
      await judgeSearch(target, { project, step: 'two' }, [second], [first, neither, none]);
      await judgeSearch(target, { 'other key': label, project }, [first], [second, neither, none]);
      await judgeSearch(target, { step: project }, [], [first, second, neither, none]);
    }
    await judgeInherited(parts);
  },
});

/** Metadata keys are arbitrary, so they may equal built-in property names of objects. */
async function judgeInherited(parts: CheckParts): Promise<void> {
  const { cases, newScene, target } = parts;
  const project = newScene().marker;
  // Only JSON.parse can create an own `__proto__` member.
  const tags = (end: string, rest: object): object =>
    JSON.parse(JSON.stringify({ own: `${project}${end}`, ...rest }).replace('own', '__proto__')) as object;
  const send = (metadata: object): Promise<Logged> => {
    cases.count();
    return logged(parts, { metadata });
  };
  const one = await send(tags('', { constructor: 'one' }));
  const two = await send(tags('', { constructor: 'two', toString: project }));
  const other = await send(tags('x', { constructor: 'one' }));
  await judgeSearch(target, tags('', {}), [one, two], [other]);
  await judgeSearch(target, tags('', { constructor: 'two' }), [two], [one, other]);
  await judgeSearch(target, { toString: project }, [two], [one, other]);
}

function judgeLabel(actual: string | null, wanted: string | null, exchange: Exchange): void {
  const rule = { requirement: 'CHAT-042', aspect: 'in-the-log', exchange };
  const expected = `the usage log with user ${JSON.stringify(wanted)}`;
  must(actual === wanted, { ...rule, expected, actual: JSON.stringify(actual) });
}

interface Logged {
  readonly exchange: Exchange;
  readonly record: UsageRecord;
}

/** A served call with its one record. @throws Untestable where the hook shows nothing of labels. */
async function logged({ target, http, newScene, judge }: CheckParts, more: JsonObject): Promise<Logged> {
  const model = target.anyModel();
  const label = `a call with ${Object.keys(more).join(', ') || 'nothing more'}`;
  const exchange = await http.chat({ ...newScene().minimal(model), ...more }, { label });
  const expected = { requirement: 'CHAT-042', aspect: 'accepted', model };
  if (more.stream === true) judge.streamed(exchange, expected);
  else judge.completed(exchange, expected);
  const [record] = await usageRecordsOf(exchange, target.profile);
  const found = { requirement: 'CHAT-042', aspect: 'in-the-log', exchange };
  must(record !== undefined, {
    ...found,
    expected: 'the record of a served call in the usage log',
    actual: 'none',
  });
  if (record.end_user === undefined || record.metadata === undefined)
    throw new Untestable('hooks.usage with end_user and metadata');
  return { exchange, record };
}

/** Judges that a search finds the wanted requests and none of the others of this check. Older requests may appear. */
async function judgeSearch(
  target: Target,
  metadata: object,
  wanted: readonly Logged[],
  others: readonly Logged[],
): Promise<void> {
  const query = Object.entries(metadata).map(([key, value]) => [`metadata.${key}`, String(value)] as const);
  const records = await usageRecordsWhere(Object.fromEntries(query), target.profile);
  const found = new Set(records.map((record) => record.request_id));
  const isFound = ({ record }: Logged): boolean => found.has(record.request_id);
  const missed = wanted.find((one) => !isFound(one));
  const strange = others.find(isFound);
  const asked = JSON.stringify(metadata);
  const all = { requirement: 'CHAT-047', aspect: 'found', exchange: missed?.exchange };
  const expected = `the request among those with metadata ${asked}`;
  must(missed === undefined, { ...all, expected, actual: `${records.length} others` });
  const only = { requirement: 'CHAT-047', aspect: 'only-those', exchange: strange?.exchange };
  const none = `only requests with metadata ${asked}`;
  must(strange === undefined, { ...only, expected: none, actual: 'one with other metadata among them' });
}
