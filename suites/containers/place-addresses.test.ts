import { expect, it } from 'vitest';
import { originsOf, placed, portsIn } from './place-addresses.ts';

const places = new Map([
  ['container', new Map([[8080, '127.0.0.1:49153']])],
  [
    'edge',
    new Map([
      [443, '10.0.0.7:49155'],
      [80, '10.0.0.7:49156'],
    ]),
  ],
  ['database', new Map()],
]);

it.each([
  ['http://container:8080', 'http://127.0.0.1:49153'],
  ['http://container:8080/llm?a=http://container:8080', 'http://127.0.0.1:49153/llm?a=http://container:8080'],
  ['https://edge/x', 'https://10.0.0.7:49155/x'],
  ['http://edge', 'http://10.0.0.7:49156'],
])('replaces %s by its address on this machine', (inside, outside) => {
  expect(placed(inside, places)).toBe(outside);
});

it.each(['http://containers:8080/', 'http://container.example.com:8080', 'container:8080', 'sk-app-1', ''])(
  'leaves %s unchanged',
  (text) => {
    expect(placed(text, places)).toBe(text);
  },
);

it('names the published ports when an address has another port', () => {
  expect(() => placed('http://edge:8443/x', places)).toThrow(
    'http://edge:8443: the service edge does not publish its port 8443 (it publishes 443, 80); add it to "ports" in the compose file',
  );
  expect(() => placed('http://database:5432', places)).toThrow('(it publishes none)');
});

it('finds each port of the container once', () => {
  const texts = ['http://container:8080/a', 'http://container:8080', 'https://container', 'http://edge:1'];
  expect(portsIn(texts, 'container')).toEqual([8080, 443]);
});

it('maps each origin of a link to its address on this machine', () => {
  expect(originsOf(places)).toMatchObject({
    'http://container:8080': 'http://127.0.0.1:49153',
    'https://edge': 'https://10.0.0.7:49155',
    'http://edge': 'http://10.0.0.7:49156',
  });
});
