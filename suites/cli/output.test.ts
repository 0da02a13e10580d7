import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inert, prepareOutput } from './output.ts';

/**
 * The lines that a runner obeys, as it reads them: it ends lines at either break, and trims blanks. It finds the older commands of
 * GitHub, and those of Azure and TeamCity, in the middle of a line, too.
 */
function obeyed(output: string): string[] {
  return output
    .split(/[\r\n]/)
    .map((line) => line.replace(/^[\s\u0085]+/, ''))
    .filter((line) => /^(?:::|##|section_(?:start|end):)|##\w*\[|@@continua\[/.test(line));
}

const hostile = fc
  .array(
    fc.constantFrom(
      '::stop-commands::x',
      '##vso[task]',
      '##[add-path]',
      '@@continua[message]',
      '##',
      'teamcity[',
      '[',
      'section_end:1:a',
      ' ',
      '\t',
      '\n',
      '\r',
      '\r\n',
      'a',
      ':',
      '#',
      '\u00a0',
      '\u0085',
      '\u2028',
    ),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''));

it('leaves no line that a CI runner treats as a command, however the text is split into writes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(hostile, { maxLength: 5 }), async (writes) => {
      const output = new PassThrough();
      prepareOutput(output);
      for (const one of writes) output.write(one);
      output.end();
      expect(obeyed(await text(output))).toEqual([]);
    }),
  );
});

it('changes no other text, and nothing within a line', () => {
  const plain = 'pass   chat.field\n  expected: a::b ## c\n{"a":"::"}\n';
  expect(inert(plain)).toBe(plain);
  expect(inert('::a\n', 'x')).toBe('::a\n');
  expect(inert('x\n::a', 'y')).toBe('x\n· ::a');
  expect(inert('expected ##vso[task.setvariable]')).toBe('expected ##·vso[task.setvariable]');
});

it.each([false, true])(
  'shows no control of a terminal, and leaves JSON what it says; on a terminal: %j',
  async (isTTY) => {
    const value = { text: '\u009b31m\u0085\u202egnp\u2066' };
    const output = Object.assign(new PassThrough(), { isTTY });
    prepareOutput(output);
    output.write(JSON.stringify(value));
    output.end();
    const shown = await text(output);
    expect(shown).toMatch(/^[ -~]+$/);
    expect(JSON.parse(shown)).toEqual(value);
  },
);

it('lets the program itself send commands', async () => {
  const output = new PassThrough();
  const say = prepareOutput(output);
  say('::group::AUTH\n');
  output.end();
  expect(await text(output)).toBe('::group::AUTH\n');
});
