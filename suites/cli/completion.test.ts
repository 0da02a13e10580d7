import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { runCli } from './testing/run-cli.ts';

it.each([
  ['a command', ['gatecheck', 'do'], 'doctor'],
  ['an option of a command', ['gatecheck', 'run', '--refer'], '--reference'],
  ['nothing of another command', ['gatecheck', 'list', '--refer'], ''],
])('completes %s in bash', async (_, words, completed) => {
  const { code, stdout } = await runCli(['completion', 'bash']);
  expect(code).toBe(0);
  const typed = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _gatecheck; echo "\${COMPREPLY[*]}"`;
  expect(execFileSync('bash', ['-c', `${stdout}\n${typed}`], { encoding: 'utf8' }).trim()).toBe(completed);
});

it('supports two shells', async () => {
  expect((await runCli(['completion', 'tcsh'])).stderr).toContain('give bash or zsh');
});
