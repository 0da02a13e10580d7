/** Lines of at most `width` characters, broken at spaces; a long word (more than half a line) is cut. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, Math.max(width, 8)));
}

function wrapLine(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    let rest = line === '' && lines.length === 0 ? word : ` ${word}`;
    if (lengthOf(line) + lengthOf(rest) > width && lengthOf(word) <= width / 2) {
      lines.push(line);
      line = '';
      rest = word;
    }
    const points = [...line, ...rest];
    while (points.length > width) lines.push(points.splice(0, width).join(''));
    line = points.join('');
  }
  lines.push(line);
  return lines.map((full) => full.trimEnd());
}

function lengthOf(text: string): number {
  return [...text].length;
}
