import { existsSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { inDialect } from '../dialects/in-dialect.ts';
import { diagnose } from '../doctor/diagnose.ts';
import { dialectOf } from '../doctor/dialect-of.ts';
import { lookAtInterface } from '../doctor/look-at-interface.ts';
import { nothingFound } from '../doctor/nothing-found.ts';
import { profileText } from '../doctor/profile-text.ts';
import { type ExitCode, exitCodes, UnreachableError, UsageError } from '../process/exit-codes.ts';
import { profileSchemaFile } from '../profile/json-schema.ts';
import { type Profile, profileSchema } from '../profile/profile.ts';
import { knownChecks } from '../runner/known-checks.ts';
import { headerVariable } from '../wire/redactor.ts';
import { assertFile } from './output-places.ts';
import { reachTarget } from './reach-target.ts';
import type { RunOptions } from './run-options.ts';

/** The options of `gatecheck init`. */
export interface InitOptions extends Pick<RunOptions, 'baseUrl' | 'key' | 'header' | 'ca'> {
  readonly name?: string;
  /** The environment variable with the key for the profile. */
  readonly keyEnv: string;
  /** Ids of the models to judge, with commas between. */
  readonly models?: string;
  readonly out: string;
}

/** `gatecheck init`: writes the profile of a deployment with what it detects. The rest is commented out. */
export async function initCommand(options: InitOptions): Promise<ExitCode> {
  const { out, keyEnv } = options;
  if (existsSync(out)) throw new UsageError(`${out} exists already: give another name with --out`);
  assertFile(out, '--out');
  const baseUrl = options.baseUrl ?? (await ask('URL of the deployment, before /api/v1: '));
  const key = options.key ?? process.env[keyEnv];
  if (!key)
    throw new UsageError(`no key: set ${keyEnv}, name another variable with --key-env, or give --key`);
  const target = await reachTarget({ ...options, baseUrl, key }, 0);
  let told = '';
  const seen = await lookAtInterface(
    target.profile,
    options.models?.split(',').map((id) => id.trim()),
    (answers) => {
      told = nothingFound(target.profile, answers);
    },
  );
  if (seen?.models.length === 0)
    throw new UsageError(`${baseUrl} lists no models: name those to judge with --models ID,ID`);
  const found = seen === null ? { sections: {}, why: [] } : dialectOf(seen);
  const base = seen?.baseUrl ?? baseUrl;
  const described = { ...target.profile, base_url: base, ...found.sections };
  const profile = inDialect(profileSchema.parse(withoutUndefined(described)));
  const { checks } = await knownChecks();
  const diagnosis = await diagnose(profile, checks).catch((error: unknown) => {
    throw seen === null && error instanceof UnreachableError && told !== ''
      ? new UnreachableError(told)
      : error;
  });
  const { tls, http } = target.profile;
  const headers = Object.keys(http.headers).map((header) => [header, headerVariable(header)] as const);
  const text = profileText({
    ...{ name: options.name ?? new URL(base).host, baseUrl: base, keyVariable: keyEnv, why: found.why },
    way: { ...wayOf(tls, headers), ...found.sections },
    schema: relative(dirname(resolve(out)), profileSchemaFile()),
    evidence: diagnosis.evidence,
  });
  writeFileSync(out, text, { flag: 'wx' });
  const variables = [keyEnv, ...headers.map(([, variable]) => variable)].map((one) => `${one}=…`).join(' ');
  process.stdout.write(
    [
      ...found.why,
      `Wrote ${out}, which can judge ${diagnosis.evidence.checks} of ${diagnosis.evidence.ofChecks} checks.`,
      `Next: export ${variables}; npx gatecheck doctor --target ${out}; npx gatecheck run --target ${out}`,
      '',
    ].join('\n'),
  );
  return exitCodes.conforming;
}

/** Removes undefined members, because the schema rejects null. */
function withoutUndefined(value: object): object {
  return JSON.parse(JSON.stringify(value)) as object;
}

/** The connection options in the form of a profile. */
function wayOf(
  { ca }: Profile['tls'],
  headers: readonly (readonly [name: string, variable: string])[],
): Record<string, unknown> {
  const values = Object.fromEntries(headers.map(([name, variable]) => [name, `env:${variable}`]));
  return {
    ...(ca === undefined ? {} : { tls: { ca } }),
    ...(headers.length === 0 ? {} : { http: { headers: values } }),
  };
}

/** @throws UsageError without a terminal to ask at */
async function ask(question: string): Promise<string> {
  if (process.stdin.isTTY !== true) throw new UsageError('give the URL of the deployment with --base-url');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(question)).trim();
  } finally {
    terminal.close();
  }
}
