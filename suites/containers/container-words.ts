import type { ContainerSection } from '../profile/container.ts';
import { type Redact, replacerOf } from '../wire/redactor.ts';
import type { ContainerGroup } from './container-group.ts';

/** Names of variables whose values are secret. */
const secretName = /key|token|secret|pass|credential|pepper|dsn/i;
/** A password within an address: `postgres://user:secret@host`. */
const passwordInUrl = /(?<=[a-z]:\/\/[^\s:/@]*:)[^\s@/]+(?=@)/g;

/** Masks the secrets of a deployment: variables with secret names, and values that the profile took from variables. */
export function redactorOf(
  { environment }: Pick<ContainerSection, 'environment'>,
  fromVariables: Readonly<Record<string, string>>,
): Redact {
  const given = Object.entries(environment).filter(
    ([name, value]) => value !== '' && (secretName.test(name) || Object.hasOwn(fromVariables, value)),
  );
  const replace = replacerOf([
    ...given.map(([name, value]) => [value, `$${name}`] as const),
    ...Object.entries(fromVariables).map(([value, name]) => [value, `$${name}`] as const),
  ]);
  return (text) => replace(text).replaceAll(passwordInUrl, '***');
}

const longestLine = 300;

/** The last lines of every container, each below its name and state. */
export async function lastWords(group: ContainerGroup, lines: number, redact: Redact): Promise<string[]> {
  const members = await group.members();
  const each = await Promise.all(
    members.map(async (member) => {
      const written = await group.tail(member, lines).catch(() => []);
      const said = written.map((line) => `  ${redact(line).slice(0, longestLine)}`);
      return [`${member.service}: ${member.status}`, ...(said.length === 0 ? ['  (no output)'] : said)];
    }),
  );
  return each.flat();
}
