import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inert, prepareOutput } from './output.ts';

/** The lines that a runner obeys, as it reads them: it ends lines at either break, and trims blanks. */
function obeyed(output: string): string[] {
  return output
    .split(/[\r\n]/)
    .map((line) => line.trim())
    .filter((line) => /^(?:::|##|section_(?:start|end):)/.test(line));
}

const hostile = fc
  .array(
    fc.constantFrom(
      '::stop-commands::x',
      '##vso[task]',
      '##[add-path]',
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
      // Each write of this program ends its line, or continues its own line.
      for (const one of writes) output.write(`${one}\n`);
      output.end();
      expect(obeyed(await text(output))).toEqual([]);
    }),
  );
});

it('changes no other text, and nothing within a line', () => {
  const plain = 'pass   chat.field\n  expected: a::b ## c\n{"a":"::"}\n';
  expect(inert(plain)).toBe(plain);
  expect(inert('::a\n', true)).toBe('::a\n');
  expect(inert('x\n::a', true)).toBe('x\n· ::a');
});

it('lets the program itself send commands', async () => {
  const output = new PassThrough();
  const say = prepareOutput(output);
  say('::group::AUTH\n');
  output.end();
  expect(await text(output)).toBe('::group::AUTH\n');
});
