import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * A page with its links to files that are not beside it as plain text: a package has a part of the repository only.
 * @param {string} text the page, as Markdown
 * @param {string} path where it is
 * @param {(file: string) => boolean} isThere
 */
export function withLiveLinks(text, path, isThere = existsSync) {
  return text.replaceAll(
    /(?<!!)\[([^\]]+)\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)/g,
    (link, label, target) => (isThere(join(dirname(path), target)) ? link : label),
  );
}
