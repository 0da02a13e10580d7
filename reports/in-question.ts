import type { Failure, MemberInQuestion } from './report.ts';

/** The request member that a failure is about, in words: `temperature = 2.01 (its twin: 2)`; null if none is known. */
export function questionInWords({ in_question: members = [] }: Failure): string | null {
  return members.length === 0 ? null : members.map(inWords).join(', ');
}

function inWords({ path, value, twin }: MemberInQuestion): string {
  const other = twin === undefined ? '' : ` (its twin: ${twin ?? 'left out'})`;
  return `${path} ${value === null ? 'left out' : `= ${value}`}${other}`;
}
