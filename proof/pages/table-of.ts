/** A table in Markdown. Cells may contain any text but line ends. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lineOf = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [lineOf(head), `|${head.map(() => '---|').join('')}`, ...rows.map(lineOf)].join('\n');
}
