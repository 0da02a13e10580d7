/**
 * Colours of the page in both schemes. A test requires a contrast of 4.5:1 for every pair that carries text,
 * on the surfaces and on the tints of the verdict colours.
 */

export const schemes = ['light', 'dark'] as const;
export type Scheme = (typeof schemes)[number];

/** The share of a verdict's colour in its tint, percent; the rest is the surface colour. */
export const tintPercent = 9;

export const grounds = ['page', 'surface', 'sunken'] as const;
export const inks = ['ink', 'muted', 'link'] as const;
export const accents = [
  'pass',
  'fail',
  'flaky',
  'warn',
  'observed',
  'untestable',
  'waived',
  'not-applicable',
  'harness-error',
  'json-key',
  'json-text',
  'json-number',
] as const;
type Token =
  | (typeof grounds)[number]
  | (typeof inks)[number]
  | (typeof accents)[number]
  | 'line'
  | 'on-accent';

export const palette: Record<Scheme, Record<Token, string>> = {
  light: {
    page: '#f4f5f7',
    surface: '#ffffff',
    sunken: '#f1f3f6',
    line: '#d9dee5',
    ink: '#161b22',
    muted: '#545e6b',
    link: '#1a56b8',
    'on-accent': '#ffffff',
    pass: '#17713d',
    fail: '#b8201f',
    flaky: '#8a4600',
    warn: '#875000',
    observed: '#2459b0',
    untestable: '#6741b0',
    waived: '#0d6862',
    'not-applicable': '#545e6b',
    'harness-error': '#9c1558',
    'json-key': '#7a2d8c',
    'json-text': '#17653a',
    'json-number': '#1a56b8',
  },
  dark: {
    page: '#0e1116',
    surface: '#161b22',
    sunken: '#1d232c',
    line: '#303843',
    ink: '#e6ebf1',
    muted: '#9ba7b5',
    link: '#86b3ff',
    'on-accent': '#0e1116',
    pass: '#52c585',
    fail: '#ff8078',
    flaky: '#f0a070',
    warn: '#e6a94a',
    observed: '#86b0ff',
    untestable: '#bca4ff',
    waived: '#4fc7b8',
    'not-applicable': '#9ba7b5',
    'harness-error': '#ff85bd',
    'json-key': '#d3a1ff',
    'json-text': '#7fd6a2',
    'json-number': '#86b3ff',
  },
};

/** The custom properties of one scheme, `--fail:#b8201f;…`. */
export function properties(scheme: Scheme): string {
  return Object.entries(palette[scheme])
    .map(([token, colour]) => `--${token}:${colour};`)
    .join('');
}
