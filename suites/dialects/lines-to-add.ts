import { failuresOf } from 'gatecheck-reports/failures-of';
import type { CheckResult, Failure } from 'gatecheck-reports/report';
import type { Dialect } from '../profile/dialect.ts';
import type { Profile } from '../profile/profile.ts';
import { objectIn } from '../rewrite/json.ts';

/** This many failing checks make a mapping likely, where the profile declares none; otherwise the first one does. */
const manyChecks = 10;

/** One line that the profile may add, and the number of failed checks that it is about. */
interface Line {
  readonly why: string;
  readonly line: string;
}

/**
 * The lines of a dialect that a profile may add: for fields that the deployment refuses as unknown, and for facts that its
 * models do not share with the roles that they play.
 */
export function unmappedInWords(results: readonly CheckResult[], { dialect }: Pick<Profile, 'dialect'>): string[] {
  const least = dialect === undefined ? manyChecks : 1;
  const failures = results.flatMap((check) =>
    check.verdict === 'fail' ? failuresOf(check).map((failure) => ({ check, failure })) : [],
  );
  const grouped = Map.groupBy(failures, ({ failure }) => {
    const line = lineFor(failure, dialect);
    return line === null ? '' : JSON.stringify(line);
  });
  grouped.delete('');
  return [...grouped].flatMap(([key, group]) => {
    const checks = new Set(group.map(({ check }) => check)).size;
    const { why, line } = JSON.parse(key) as Line;
    if (checks < least) return [];
    return [`${checks === 1 ? '1 check fails' : `${checks} checks fail`} because ${why}: ${line}.`];
  });
}

function lineFor({ exchange, expected }: Failure, dialect: Dialect | undefined): Line | null {
  const status = exchange?.response?.status ?? 0;
  if (exchange === null || status === 0) return null;
  const sent = objectIn(Buffer.from(exchange.request.body)) ?? {};
  const model = typeof sent.model === 'string' ? sent.model : '';
  const role = roleOf(model, dialect);
  if (status < 300 && /\bcontext_too_long\b/.test(expected) && role !== null)
    return {
      why: `${model} has the window of ${role}. If it has another one, write it in tokens`,
      line: `"dialect: { models: { ${model}: { like: ${role}, context: 1000000 } } }"`,
    };
  const lacking = status < 300 && /\bunsupported_capability\b/.test(expected) ? 'more' : null;
  if (lacking !== null && role !== null)
    return {
      why: `${model} has the capabilities of ${role}. If it has others, list them`,
      line: `"dialect: { models: { ${model}: { like: ${role}, capabilities: [tools, vision, stream] } } }"`,
    };
  const field = refusedField(exchange.response?.body ?? '', sent);
  const group = groupOf(exchange.request.url);
  if (![400, 422].includes(status) || field === null || group === null) return null;
  if (field === 'stream' || field === 'tools') {
    if (role === null) return null;
    const left = ['tools', 'stream'].filter((one) => one !== field).join(', ');
    return {
      why: `${model} refuses ${field}. If it has no such capability, leave it out`,
      line: `"dialect: { models: { ${model}: { like: ${role}, capabilities: [${left}] } } }"`,
    };
  }
  const name = specifiedName(field, dialect?.fields[group].request ?? {});
  return {
    why: `the deployment does not know ${field}. If it is not offered, or has another name, declare it`,
    line: `"dialect: { fields: { ${group}: { request: { ${name}: null } } } }"`,
  };
}

/** The role of a model whose facts the profile does not declare; null for others. */
function roleOf(model: string, dialect: Dialect | undefined): string | null {
  const own = dialect?.models[model];
  if (own === undefined || 'context' in own || 'capabilities' in own || own.like === model) return null;
  return own.like;
}

const unknown =
  /\bun(?:known|recogni[sz]ed|supported|expected)|\bextra\b|\bnot (?:be )?(?:supported|permitted|allowed)|additional propert/i;

/** The one member of a request that a refusal names as unknown; null where it names none or several. */
function refusedField(answer: string, sent: Readonly<Record<string, unknown>>): string | null {
  if (!unknown.test(answer)) return null;
  const names = Object.keys(sent).filter(
    (name) => /^\w+$/.test(name) && !['model', 'messages'].includes(name),
  );
  const named = names.filter((name) => new RegExp(`\\b${name}\\b`).test(answer));
  return named.length === 1 ? (named[0] ?? null) : null;
}

function specifiedName(own: string, renamed: Readonly<Record<string, string | null>>): string {
  return Object.entries(renamed).find(([, name]) => name === own)?.[0] ?? own;
}

function groupOf(url: string): keyof Dialect['fields'] | null {
  if (/\/chat\/completions(?:\?|$)/.test(url)) return 'chat';
  if (/\/images\/generations(?:\?|$)/.test(url)) return 'images';
  return /\/tasks(?:\?|$)/.test(url) ? 'tasks' : null;
}
