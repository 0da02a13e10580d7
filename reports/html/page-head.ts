import { html, type Markup, trusted } from './markup.ts';
import { style } from './style.ts';

/** The head of a page that loads nothing: its security policy, title and styles. `script` is the hash of its only script. */
export function pageHead({
  title,
  css = '',
  script,
}: {
  title: string;
  css?: string;
  script?: string;
}): Markup {
  const scripts = script === undefined ? '' : ` script-src '${script}';`;
  const policy = `default-src 'none'; style-src 'unsafe-inline';${scripts} base-uri 'none'; form-action 'none'`;
  return html`<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${trusted(style + css)}</style>
</head>`;
}
