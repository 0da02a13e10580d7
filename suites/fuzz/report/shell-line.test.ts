import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { keySlot } from '../grammar/subject.ts';
import { raw } from '../raw/raw-sequence.ts';
import { profile } from '../testing/served.ts';
import { curlOf, needsFile, printfOf } from './shell-line.ts';

const draft = (body: Buffer) => ({
  method: 'POST',
  path: '/api/v1/tasks',
  headers: { authorization: `Bearer ${keySlot}` },
  body,
});

it('prints a curl command without the key, and names a file for a body that does not fit', () => {
  const line = curlOf(draft(Buffer.from('{"a":"it\'s"}')), profile, 'x.body');
  expect(line).toContain('-H "authorization: Bearer $GATECHECK_KEY"');
  expect(line).toContain(String.raw`--data-binary '{"a":"it'\''s"}'`);
  expect(line).not.toContain(keySlot);
  expect(curlOf(draft(Buffer.from([0xff])), profile, 'x.body')).toMatch(/--data-binary @x\.body$/);
  expect(needsFile({ body: Buffer.alloc(10_000, 'a') })).toBe(true);
});

it('prints a printf command that outputs exactly the same bytes', () => {
  const bytes = Buffer.from([...Array(256).keys()]);
  const line = printfOf(raw('all bytes', [bytes, `100%\\n'${keySlot}'`]), profile) ?? '';
  const [command = ''] = line.split(' | nc');
  const printed = execFileSync('sh', ['-c', command], { env: { GATECHECK_KEY: 'sk-app-mine' } });
  expect(printed).toEqual(Buffer.concat([bytes, Buffer.from("100%\\n'sk-app-mine'")]));
  expect(line).toMatch(/ \| nc -w 10 127\.0\.0\.1 9$/);
});
