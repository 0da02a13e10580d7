/** A Markdown table. Cells may contain any text except line breaks. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lineOf = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [lineOf(head), `|${head.map(() => '---|').join('')}`, ...rows.map(lineOf)].join('\n');
}
