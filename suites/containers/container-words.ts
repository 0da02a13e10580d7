import type { ContainerSection } from '../profile/container.ts';
import { type Redact, replacerOf } from '../wire/redactor.ts';
import type { ContainerGroup } from './container-group.ts';

/** Names of variables whose values are secret. */
const secretName = /key|token|secret|pass|credential|pepper|dsn/i;
/** A password within an address: `postgres://user:secret@host`. */
const passwordInUrl = /(?<=[a-z]:\/\/[^\s:/@]*:)[^\s@/]+(?=@)/g;

/** Blanks what a deployment was given as a secret, by the name of its variable or because the profile took it from one. */
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

/** The last lines of every container, each below the name and state of its own. */
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
