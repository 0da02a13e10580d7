/** A strict tag reader for report tests: for XML, and for HTML with its void elements. */

export interface Element {
  name: string;
  attributes: Map<string, string>;
  children: (Element | string)[];
}

const tag = /<(\/?)([A-Za-z][\w:-]*)((?:\s+[\w:-]+(?:="[^"<]*")?)*)\s*(\/?)>/y;
const attribute = /([\w:-]+)(?:="([^"]*)")?/g;
const voids = ['meta', 'input', 'br', 'img', 'link', 'hr'];
const rawText = ['script', 'style'];

/** Throws at the first error of well-formedness; the message quotes the text around it. */
export function readTags(text: string, language: 'xml' | 'html'): Element {
  const root: Element = { name: '', attributes: new Map(), children: [] };
  const open: Element[] = [root];
  let at = /^\s*<[?!][^>]*>\s*/.exec(text)?.[0].length ?? 0;
  while (at < text.length) {
    const top = open.at(-1) ?? root;
    const next =
      language === 'html' && rawText.includes(top.name) ? text.indexOf('</', at) : text.indexOf('<', at);
    const end = next === -1 ? text.length : next;
    if (end > at) top.children.push(checkText(text.slice(at, end), language, top));
    if (next === -1) break;
    tag.lastIndex = next;
    const found = tag.exec(text);
    if (found === null) throw new Error(`not a tag: ${text.slice(next, next + 80)}`);
    at = tag.lastIndex;
    step(open, found, language);
  }
  if (open.length > 1) throw new Error(`never closed: ${open.map(({ name }) => name).join(' ')}`);
  return root;
}

/** All elements of that name, in document order. */
export function elementsOf(root: Element, name: string): Element[] {
  return root.children.flatMap((child) =>
    typeof child === 'string' ? [] : [...(child.name === name ? [child] : []), ...elementsOf(child, name)],
  );
}

/** The text inside an element with its entities resolved. */
export function textOf(element: Element): string {
  return element.children
    .map((child) => (typeof child === 'string' ? resolve(child) : textOf(child)))
    .join('');
}

function step(open: Element[], found: RegExpExecArray, language: 'xml' | 'html'): void {
  const [whole, closing, name = '', list = '', selfClosing] = found;
  const top = open.at(-1);
  if (closing === '/') {
    if (top?.name !== name) throw new Error(`${whole} closes ${top?.name}`);
    open.pop();
    return;
  }
  const element: Element = { name, attributes: new Map(), children: [] };
  for (const [, key = '', value = ''] of list.matchAll(attribute)) {
    if (element.attributes.has(key)) throw new Error(`twice ${key} in ${whole}`);
    checkText(value, language, element);
    element.attributes.set(key, resolve(value));
  }
  top?.children.push(element);
  const ends = selfClosing === '/' || (language === 'html' && voids.includes(name));
  if (!ends) open.push(element);
}

function checkText(text: string, language: 'xml' | 'html', parent: Element): string {
  if (language === 'html' && rawText.includes(parent.name)) return text;
  if (/&(?!amp;|lt;|gt;|quot;|#39;|#10;)/.test(text))
    throw new Error(`a bare ampersand: ${text.slice(0, 80)}`);
  if (/[^\P{Cc}\n\t]/u.test(text))
    throw new Error(`a control character: ${JSON.stringify(text.slice(0, 80))}`);
  if (!text.isWellFormed()) throw new Error('a lone surrogate');
  return text;
}

function resolve(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#10;', '\n')
    .replaceAll('&amp;', '&');
}
