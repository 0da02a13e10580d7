import { type Json, objectOf, objectsIn, readJson } from '../native/json.ts';
import { type JsonDifference, valueDifference } from './same-json.ts';

/** A change of a compat path A request on its way to an upstream of its own dialect, with the rule about this part. */
export interface MessagesDifference extends JsonDifference {
  readonly requirement: string;
  readonly aspect: string;
}

interface Message {
  readonly role: unknown;
  readonly content: readonly Json[];
  readonly [name: string]: unknown;
}

/** A request in a normal form: all spellings with the same native meaning become equal. */
interface Normal {
  readonly system: readonly Json[];
  readonly messages: readonly Message[];
  readonly rest: Json;
}

/** Members that a gateway sets by itself. */
const own = ['model', 'stream', 'system', 'messages'];

/**
 * The differences between a native request as sent and as the upstream saw it, one for each part that a rule names:
 * a field, a block, the hints, the system prompt, the roles. None when it means the same.
 * Numbers are compared digit by digit. Only members of the request are compared; a gateway may add others.
 * These count as equal: a text as a string or as one block, and neighbouring turns of one role or one turn.
 * So do an explicit default lifetime of a cache hint, and an omitted `is_error: false`.
 */
export function messagesDifferences(sent: string, seen: string): readonly MessagesDifference[] {
  const [ours, theirs] = [normal(sent), normal(seen)];
  return [
    ...hintDifference(ours, theirs),
    ...systemDifference(ours, theirs),
    ...turnsDifferences(ours.messages.map(bare), theirs.messages.map(bare)),
    ...restDifferences(ours.rest, theirs.rest),
  ];
}

function normal(text: string): Normal {
  const body = objectOf(readJson(text));
  const given = objectsIn(body.messages);
  const system = [
    ...blocksOf(body.system),
    ...given.filter(({ role }) => role === 'system').flatMap(({ content }) => blocksOf(content)),
  ];
  const messages: Message[] = [];
  for (const { role, content, ...more } of given.filter((turn) => turn.role !== 'system')) {
    const last = messages.at(-1);
    const blocks = blocksOf(content).map(normalBlock);
    if (last !== undefined && last.role === role)
      messages[messages.length - 1] = { ...last, content: [...last.content, ...blocks] };
    else messages.push({ ...more, role, content: blocks });
  }
  const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !own.includes(name)));
  return { system: system.map(normalBlock), messages, rest };
}

function blocksOf(content: unknown): Json[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objectsIn(content);
}

function normalBlock(block: Json): Json {
  const { is_error: failed, ...rest } = block;
  const flagged = failed === false || failed === undefined ? rest : block;
  if (block.type !== 'tool_result' || block.content === undefined) return withTtl(flagged);
  return withTtl({ ...flagged, content: blocksOf(block.content).map(normalBlock) });
}

function withTtl(block: Json): Json {
  const { cache_control: hint } = block;
  if (hint === undefined || hint === null) return block;
  return { ...block, cache_control: { ttl: '5m', ...objectOf(hint) } };
}

/**
 * Compares every hint with the text or kind of its block. An index alone would change when a gateway divides texts
 * differently.
 */
function hintDifference(ours: Normal, theirs: Normal): MessagesDifference[] {
  const difference = valueDifference(hintsOf(ours), hintsOf(theirs), 'cache_control');
  return under(difference, { requirement: 'COMPA-007', aspect: 'hint-arrives' });
}

function under(
  difference: JsonDifference | null,
  rule: { readonly requirement: string; readonly aspect: string },
): MessagesDifference[] {
  return difference === null ? [] : [{ ...difference, ...rule }];
}

function hintsOf({ system, messages, rest }: Normal): unknown[] {
  const tools = objectsIn(rest.tools).map(withTtl);
  const placed = (block: Json, at: string): unknown[] => [
    ...objectsIn(block.content).flatMap((inner, index) => placed(inner, `${at}.content[${index}]`)),
    ...(block.cache_control == null ? [] : [{ at, hint: block.cache_control }]),
  ];
  return [
    ...tools.flatMap((tool, index) => placed(tool, `tools[${index}]`)),
    ...system.flatMap((block, index) => placed(block, `system[${index}]`)),
    ...messages.flatMap(({ content }, turn) =>
      content.flatMap((block, index) => placed(block, `messages[${turn}].content[${index}]`)),
    ),
  ];
}

function systemDifference(ours: Normal, theirs: Normal): MessagesDifference[] {
  // A hint on one of several blocks keeps its place only if the blocks are divided as before.
  const hinted = ours.system.some((block) => block.cache_control != null);
  if (!hinted && isSameText(ours.system, theirs.system)) return [];
  const text = (system: readonly Json[]): string => system.map((block) => String(block.text)).join('\n');
  const difference = hinted
    ? valueDifference(ours.system.map(bare), theirs.system.map(bare), 'system')
    : valueDifference(text(ours.system), text(theirs.system), 'system');
  return under(difference, { requirement: 'COMPA-004', aspect: 'system-arrives' });
}

/** The separators that a gateway may use when it joins the blocks of a system prompt. */
const joints = ['', '\n', '\n\n', ' '];

/** Whether two system prompts have the same text, however they are divided into blocks. */
function isSameText(ours: readonly Json[], theirs: readonly Json[]): boolean {
  const texts = (system: readonly Json[]): string[] =>
    joints.map((joint) => system.map((block) => String(block.text)).join(joint));
  const meant = texts(ours);
  return texts(theirs).some((text) => meant.includes(text));
}

function turnsDifferences(ours: readonly Json[], theirs: readonly Json[]): MessagesDifference[] {
  const roles = valueDifference(
    ours.map(({ role }) => role),
    theirs.map(({ role }) => role),
    'messages',
  );
  // Past a lost or added turn each later one would differ for the same cause.
  if (roles !== null) return [{ ...roles, requirement: 'COMPA-021', aspect: 'turns-arrive' }];
  return ours.flatMap((message, turn) =>
    blocksDifferences(
      objectsIn(message.content),
      objectsIn(theirs[turn]?.content),
      `messages[${turn}].content`,
    ),
  );
}

function blocksDifferences(ours: readonly Json[], theirs: readonly Json[], at: string): MessagesDifference[] {
  const found: MessagesDifference[] = [];
  for (let index = 0; index < Math.max(ours.length, theirs.length); index += 1) {
    const [block, seen] = [ours[index] ?? null, theirs[index] ?? null];
    found.push(...under(valueDifference(block, seen, `${at}[${index}]`), ruleOf(block)));
    // Past a lost or added block each later one would differ for the same cause.
    if (found.length > 0 && ours.length !== theirs.length) break;
  }
  return found;
}

function ruleOf(block: Json | null): { requirement: string; aspect: string } {
  switch (block?.type) {
    case 'tool_use':
      return { requirement: 'COMPA-005', aspect: 'tool-use-arrives' };
    case 'tool_result':
      return { requirement: 'COMPA-006', aspect: 'tool-result-arrives' };
    default:
      return { requirement: 'COMPA-021', aspect: 'content-arrives' };
  }
}

function restDifferences(ours: Json, theirs: Json): MessagesDifference[] {
  return Object.entries(ours).flatMap(([name, value]) => {
    const wanted = name === 'tools' ? objectsIn(value).map(bare) : value;
    const seen = name === 'tools' ? objectsIn(theirs.tools).map(bare) : theirs[name];
    return under(valueDifference(wanted, seen, name), { requirement: 'COMPA-001', aspect: 'field-arrives' });
  });
}

/** The value without cache hints at any depth, because they are judged separately. */
function bare(value: Json): Json {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'cache_control')
      .map(([name, inner]) => [
        name,
        name === 'content' && Array.isArray(inner) ? objectsIn(inner).map(bare) : inner,
      ]),
  );
}
