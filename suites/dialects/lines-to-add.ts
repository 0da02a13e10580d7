import { failuresOf } from 'gatecheck-reports/failures-of';
import type { CheckResult, Failure } from 'gatecheck-reports/report';
import { saysWhole } from 'gatecheck-reports/symptoms';
import { isErrorCode } from '../oracle/error-table.ts';
import type { Dialect, ErrorSign } from '../profile/dialect.ts';
import type { Profile } from '../profile/profile.ts';
import { objectIn } from '../rewrite/json.ts';
import { compatProtocols } from '../steps/protocols/protocol.ts';
import { isJsonObject } from '../values/json.ts';
import { isSuccessBody } from './error-in-success.ts';

/** This many failing checks make a mapping likely, where the profile declares none; otherwise the first one does. */
const manyChecks = 10;

/** This many make it likely that a model is listed for another purpose: few checks ask the second model of a protocol. */
const severalChecks = 5;

/** What a failure says of a field or of a model that the profile does not describe. */
type Unmapped =
  | { readonly group: keyof Dialect['fields']; readonly field: string }
  | { readonly model: string; readonly role: string; readonly fact: string }
  | { readonly refused: string; readonly like: string; readonly native: boolean }
  | { readonly inSuccess: true }
  | { readonly textMember: string }
  | { readonly code: string; readonly own: string; readonly known: readonly string[] };

/**
 * The lines of a dialect that a profile may add: for fields that the deployment refuses as unknown, and for facts that its
 * models do not share with the roles that they play.
 */
export function unmappedInWords(
  results: readonly CheckResult[],
  { dialect }: Pick<Profile, 'dialect'>,
): string[] {
  const found = results.flatMap((check) =>
    check.verdict === 'fail'
      ? failuresOf(check).flatMap((failure) => {
          const what = unmappedIn(failure, dialect);
          return what === null ? [] : [{ check, what }];
        })
      : [],
  );
  const least = dialect === undefined ? manyChecks : 1;
  const lineOf = (
    kind: 'field' | 'model' | 'refused' | 'inSuccess' | 'code' | 'textMember',
    fewest: number,
    line: (checks: number, found: readonly Unmapped[]) => string,
  ): string[] => {
    const own = found.filter(({ what }) => kind in what);
    const checks = new Set(own.map(({ check }) => check)).size;
    const told = own.map(({ what }) => what).filter((one, _, all) => !meansSeveral(one, all));
    return told.length === 0 || checks < fewest ? [] : [line(checks, told)];
  };
  return [
    ...lineOf('field', least, fieldLine),
    ...lineOf('model', least, modelLine),
    ...lineOf('refused', severalChecks, refusedLine),
    ...lineOf('inSuccess', least, inSuccessLine),
    ...lineOf('code', least, codeLine),
    ...lineOf('textMember', least, textMemberLine),
  ];
}

/** Whether an own code was seen where different codes were expected: it is the general one of the deployment. */
function meansSeveral(one: Unmapped, all: readonly Unmapped[]): boolean {
  return (
    'code' in one && all.some((other) => 'code' in other && other.own === one.own && other.code !== one.code)
  );
}

function fieldLine(checks: number, found: readonly Unmapped[]): string {
  const fields = found.filter((one) => 'field' in one);
  const groups = [...new Set(fields.map(({ group }) => group))].map((group) => {
    const names = new Set(fields.filter((one) => one.group === group).map(({ field }) => `${field}: null`));
    return `${group}: { request: { ${[...names].join(', ')} } }`;
  });
  return `${counted(checks)} because the deployment does not know a field. If it is not offered, declare it, or write its other name in place of null: "dialect: { fields: { ${groups.join(', ')} } }".`;
}

function modelLine(checks: number, found: readonly Unmapped[]): string {
  const models = found.filter((one) => 'model' in one);
  const each = [...new Set(models.map(({ model }) => model))].map((model) => {
    const own = models.filter((one) => one.model === model);
    // The first one of each member: a model that refuses both tools and streams has to be looked at.
    const facts = [...Map.groupBy(own, ({ fact }) => fact.split(':')[0]).values()].map(
      ([first]) => first?.fact,
    );
    return `${model}: { like: ${own[0]?.role}, ${facts.join(', ')} }`;
  });
  return `${counted(checks)} for the window or the capabilities of roles. If your models have others, write those: "dialect: { models: { ${each.join(', ')} } }". If not, these failures are true: the model accepts what it lacks.`;
}

function refusedLine(checks: number, found: readonly Unmapped[]): string {
  const refused = Map.groupBy(
    found.filter((one) => 'refused' in one),
    (one) => one.refused,
  );
  const most = Math.max(...[...refused.values()].map((each) => each.length));
  // One that is refused far less often than another is served otherwise.
  const models = [...refused].flatMap(([model, each]) => {
    const [{ like }] = each as [(typeof each)[0]];
    return each.length * manyChecks > most ? [{ model, like }] : [];
  });
  const lines = models
    .filter(
      ({ model, like }) =>
        !isOnNative(refused.get(model)) && compatProtocols.some(({ serves }) => serves(like)),
    )
    .map(({ model, like }) => `${model}: { like: ${like}, absent: [chat] }`);
  const named = models.map(({ model }) => model).join(', ');
  const native =
    lines.length === 0
      ? ''
      : `, or say that its native protocol alone serves it: "dialect: { models: { ${lines.join(', ')} } }"`;
  return `${counted(checks)} because the deployment refuses a model by its name: ${named}. If they do not serve it, leave it out of dialect.models${native}.`;
}

function isOnNative(refusals: readonly Unmapped[] = []): boolean {
  return refusals.some((one) => 'native' in one && one.native);
}

function codeLine(checks: number, found: readonly Unmapped[]): string {
  const byCode = Map.groupBy(
    found.filter((one) => 'code' in one),
    ({ code }) => code,
  );
  const pairs = [...byCode].map(([code, all]) => {
    const names = new Set(all.flatMap(({ known, own }) => [...known, own]));
    const signs = [...names].map((name) => `{ code: ${name} }`).join(', ');
    return `${code}: ${names.size === 1 ? signs : `[${signs}]`}`;
  });
  return `${counted(checks)} for codes of errors that the profile does not name. Where they mean the same, declare them: "dialect: { errors: { codes: { ${pairs.join(', ')} } } }".`;
}

function textMemberLine(checks: number, found: readonly Unmapped[]): string {
  const [name = ''] = found.flatMap((one) => ('textMember' in one ? one.textMember : []));
  return `${counted(checks)} because errors have no message. If their text is in ${name}, declare it: "dialect: { errors: { members: { message: ${name} } } }".`;
}

function inSuccessLine(checks: number): string {
  return `${counted(checks)} because an error has HTTP 200. If that is the form of all errors, declare it, and the codes that their bodies have: "dialect: { errors: { in_success: true, codes: { invalid_param: { code: … } } } }". npx gatecheck init writes these lines.`;
}

function counted(checks: number): string {
  return checks === 1 ? '1 check fails' : `${checks} checks fail`;
}

function unmappedIn(
  { exchange, expected, requirement }: Failure,
  dialect: Dialect | undefined,
): Unmapped | null {
  const status = exchange?.response?.status ?? 0;
  if (exchange === null || status === 0) return null;
  const text = requirement === 'ERR-005' ? textMemberIn(exchange.response?.body ?? '', dialect) : null;
  if (text !== null) return { textMember: text };
  const sent = objectIn(Buffer.from(exchange.request.body)) ?? {};
  const model = typeof sent.model === 'string' ? sent.model : '';
  const role = roleOf(model, dialect);
  if (status < 300) {
    if (
      dialect?.errors.in_success !== true &&
      isErrorBody(objectIn(Buffer.from(exchange.response?.body ?? '')))
    )
      return { inSuccess: true };
    if (role === null) return null;
    if (/\bcontext_too_long\b/.test(expected)) return { model, role, fact: 'context: TOKENS' };
    const isLacking = /\bunsupported_capability\b/.test(expected);
    return isLacking ? { model, role, fact: 'capabilities: [ITS, CAPABILITIES]' } : null;
  }
  const code = unnamedCode(expected, exchange.response?.body ?? '', dialect);
  if (code !== null) return code;
  // Where a refusal was right, and its words or its code were wrong, nothing is unmapped.
  if (/^(?:param\b|\d{3} )/.test(expected)) return null;
  const answer = exchange.response?.body ?? '';
  const field = refusedField(answer, sent);
  const { url } = exchange.request;
  const group = groupOf(url);
  const native = /\/messages(?:\?|$)/.test(url);
  if (![400, 404, 422].includes(status) || (group === null && !native)) return null;
  if (field === null) {
    const isNamed = /^HTTP 200/.test(expected) && saysWord(answer, model);
    return isNamed && role !== null ? { refused: model, like: role, native } : null;
  }
  if (group === null) return null;
  if (field === 'stream' || field === 'tools') {
    const left = field === 'stream' ? 'tools' : 'stream';
    return role === null ? null : { model, role, fact: `capabilities: [${left}]` };
  }
  return { group, field: specifiedName(field, dialect?.fields[group].request ?? {}) };
}

const noErrors: Pick<Dialect['errors'], 'object' | 'members' | 'codes'> = { members: {}, codes: {} };

/** The code of an error that a dialect with codes of its own does not name, and the expected code; null for others. */
function unnamedCode(expected: string, answer: string, dialect: Dialect | undefined): Unmapped | null {
  const [, code = ''] = /^\d{3} (\w+)$/.exec(expected) ?? [];
  const { object = 'error', members, codes } = dialect?.errors ?? noErrors;
  const signs = Object.values(codes).flatMap((sign) => sign ?? []);
  const body = objectIn(Buffer.from(answer));
  const error = object === null ? body : body?.[object];
  const own = isJsonObject(error) ? error[members.code ?? 'code'] : undefined;
  if (!isErrorCode(code) || codes[code] === null || typeof own !== 'string') return null;
  const codesOf = (some: readonly ErrorSign[]): string[] =>
    some.flatMap((sign) => ((sign.code ?? null) === null ? [] : [`${sign.code}`]));
  const known = codesOf(signs);
  if (!/^\w+$/.test(own) || isErrorCode(own) || known.includes(own)) return null;
  // Codes in the form of ours may be wrong ones. Without a dialect, and of any field, they say little.
  const isWord = dialect !== undefined && code !== 'invalid_param' && /[a-z]_[a-z]/.test(own);
  return isWord || known.some((one) => /[^a-z_]/.test(one))
    ? { code, own, known: codesOf([codes[code] ?? []].flat()) }
    : null;
}

/** The member with the text of an error that lacks a message; null where it has one, or none with a text. */
function textMemberIn(answer: string, dialect: Dialect | undefined): string | null {
  const { object = 'error', members } = dialect?.errors ?? noErrors;
  const body = objectIn(Buffer.from(answer));
  const error = object === null ? body : body?.[object];
  if (!isJsonObject(error) || members.message !== undefined || error.message !== undefined) return null;
  const others = ['code', 'type', 'param', 'channel', members.code, members.type, members.param];
  const texts = Object.entries(error).filter(
    ([name, value]) => typeof value === 'string' && !others.includes(name),
  );
  return texts.find(([, value]) => /\s/.test(String(value)))?.[0] ?? null;
}

/** Whether a body is an error, and no answer that has one beside its result. */
function isErrorBody(body: Readonly<Record<string, unknown>> | null): boolean {
  if (body === null || isSuccessBody(body)) return false;
  const { error, code, message, msg } = body;
  return (
    isJsonObject(error) || typeof error === 'string' || (code !== undefined && (message ?? msg) !== undefined)
  );
}

/** The role of a model whose facts the profile does not declare; null for others. */
function roleOf(model: string, dialect: Dialect | undefined): string | null {
  const own = dialect?.models[model];
  if (own === undefined || 'context' in own || 'capabilities' in own || own.like === model) return null;
  return own.like;
}

const unknown =
  /\bun(?:known|recogni[sz]ed|supported|expected)|\bextra\b|\bnot (?:be )?(?:supported|permitted|allowed)|additional propert/i;

/** Members that every request has, or that checks invent. */
const notFields: ReadonlySet<string> = new Set(['model', 'messages', 'constructor', 'zz_unknown']);

/** The one member of a request that a refusal names as unknown; null where it names none or several. */
function refusedField(answer: string, sent: Readonly<Record<string, unknown>>): string | null {
  if (!unknown.test(answer)) return null;
  const names = Object.keys(sent).filter((name) => !notFields.has(name));
  const named = names.filter((name) => saysWord(answer, name));
  return named.length === 1 ? (named[0] ?? null) : null;
}

/** Whether a JSON answer has a word, and not only as a part of another one. */
function saysWord(answer: string, word: string): boolean {
  return objectIn(Buffer.from(answer)) !== null && saysWhole(answer, word);
}

function specifiedName(own: string, renamed: Readonly<Record<string, string | null>>): string {
  return Object.entries(renamed).find(([, name]) => name === own)?.[0] ?? own;
}

function groupOf(url: string): keyof Dialect['fields'] | null {
  if (/\/chat\/completions(?:\?|$)/.test(url)) return 'chat';
  if (/\/images\/generations(?:\?|$)/.test(url)) return 'images';
  return /\/tasks(?:\?|$)/.test(url) ? 'tasks' : null;
}
