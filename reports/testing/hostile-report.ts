import type { Report } from '../report.ts';
import { sampleReport } from './sample-report.ts';

/** Texts that a server, or an author of checks, may put into a report to break its renderings. */
export const hostileTexts: readonly (readonly [name: string, text: string])[] = [
  ['a tag that ends the script', '</script><img src=x onerror=alert(1)>'],
  ['an attribute that ends itself', '"><svg/onload=alert(1)>'],
  ['tags that end a style', '--></style><script>alert(1)</script>'],
  ['the end of a CDATA section', ']]>&amp;<!ENTITY x "y">'],
  [
    'terminal sequences and controls',
    `${String.fromCharCode(27)}[31mred${String.fromCharCode(27)}]0;title${String.fromCharCode(7)} ${String.fromCharCode(0, 8, 127, 155)}2J`,
  ],
  ['changes of direction and halves of characters', 'שלום عليكم \u202egnp.exe\u2066 \ud800 \uffff'],
  ['markdown', '`` ``` | # [link](javascript:alert(1)) **bold**'],
  ['line breaks', 'line one\nline two\r\nline three'],
  ['a very long word', 'x'.repeat(5000)],
];

/** The sample report with one text in every member that takes outside text; ids stay unique. */
export function hostileReport(text: string): Report {
  const report = replaceStrings(sampleReport(), text);
  return {
    ...report,
    checks: report.checks.map((check, index) => ({ ...check, id: `${check.id}${index}` })),
  };
}

/** Members whose values are a closed set or have a fixed format. */
const formal = new Set([
  'schema',
  'size',
  'started_at',
  'verdict',
  'level',
  'until',
  'began_at',
  'role',
  'lane',
]);

function replaceStrings<T>(value: T, text: string): T {
  const replace = (part: unknown, key: string): unknown => {
    if (typeof part === 'string') return formal.has(key) ? part : text;
    if (Array.isArray(part)) return part.map((member) => replace(member, key));
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, replace(member, name)]));
  };
  return replace(value, '') as T;
}
