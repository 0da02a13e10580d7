import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { loadProfile, minimalProfile, readContained } from './load-profile.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-profile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function load(text: string, env: NodeJS.ProcessEnv = {}): ReturnType<typeof loadProfile> {
  const file = join(folder, 'target.yaml');
  writeFileSync(file, text);
  return loadProfile(file, env);
}

describe('a profile', () => {
  it('needs only a URL and a key', () => {
    expect(load('base_url: http://127.0.0.1:8080\nkeys: { K1: sk-app-x }\n')).toMatchObject({
      cap: { value: 3 },
      tenants: [],
    });
  });

  it('takes secrets from the environment, and never an empty one', () => {
    const text = 'base_url: http://127.0.0.1:8080\nkeys: { K1: env:MY_KEY }\n';
    const profile = load(text, { MY_KEY: 'sk-app-env' });
    expect([profile.keys.K1, profile.variables]).toEqual(['sk-app-env', { 'sk-app-env': 'MY_KEY' }]);
    expect(() => load(text)).toThrow('keys.K1: the environment variable MY_KEY is not set');
    expect(() => load(text, { MY_KEY: '' })).toThrow('MY_KEY is not set');
  });

  it('takes the key of the command line in place of its own, set or not', () => {
    const file = join(folder, 'keyed.yaml');
    const loaded = (more = '') => {
      writeFileSync(file, `base_url: http://127.0.0.1:8080\nkeys: { K1: env:MY_KEY }\n${more}`);
      return loadProfile(file, { KEY_A: 'k-a' }, { key: 'sk-app-given' });
    };
    expect(loaded()).toMatchObject({
      keys: { K1: 'sk-app-given' },
      variables: { 'sk-app-given': 'MY_KEY' },
    });
    expect(readContained(file, {}, 'sk-app-given')).toBeNull();
    expect(() => loaded('tenants: [{ name: a, keys: { K1: env:KEY_A } }]\n')).toThrow(
      /--key cannot replace .* tenants/,
    );
  });

  it('reports every fault at once, with its member and its line', () => {
    const text = 'base_url: ftp://x\nkeys:\n  K1: sk-app-x\n  K9: what\ncap:\n  value: 0\n';
    expect(() => load(text)).toThrow(/base_url \(line 1\).*\n.*keys.*K9.*\n.*cap\.value \(line 6\)/);
  });

  it("may add models to the catalogue, but only with the catalogue's capabilities", () => {
    const model = (capability: string) =>
      `base_url: http://127.0.0.1:8080\nkeys: { K1: sk-app-x }\nchat:\n  extra_models: [{ id: m, capabilities: [${capability}] }]\n`;
    expect(load(model('vision')).chat.extra_models).toEqual([{ id: 'm', capabilities: ['vision'] }]);
    expect(() => load(model('smell'))).toThrow(/chat\.extra_models\[0\]\.capabilities\[0\] \(line 4\)/);
  });

  it.for([
    ['{ control: "http://127.0.0.1:1" }', { control: 'http://127.0.0.1:1' }],
    [
      '{ listen: "0.0.0.0:8443", base_url: "https://ci.example/hooks/" }',
      { listen: '0.0.0.0:8443', base_url: 'https://ci.example/hooks', plain: false },
    ],
  ] as const)('may name a receiver that runs or will be started: %s', ([text, receiver]) => {
    const profile = `base_url: http://127.0.0.1:8080\nkeys: { K1: sk-app-x }\nwebhooks:\n  receiver: ${text}\n`;
    expect(load(profile).webhooks.receiver).toEqual(receiver);
  });

  it.for([
    ['{}', /webhooks\.receiver\.listen.*needed.*\n.*webhooks\.receiver\.base_url.*needed/],
    [
      '{ listen: "0.0.0.0:8443", base_url: "http://ci.example" }',
      /webhooks\.receiver\.base_url \(line 4\).*https/,
    ],
    [
      '{ listen: "8443", base_url: "https://ci.example" }',
      /webhooks\.receiver\.listen \(line 4\).*0\.0\.0\.0:8443/,
    ],
    [
      '{ listen: "a:1", base_url: "https://a.example", token: abcdefgh }',
      /webhooks\.receiver\.token.*name its control/,
    ],
    ['{ control: "http://127.0.0.1:1", listen: "0.0.0.0:1" }', /webhooks\.receiver\.listen.*runs already/],
    ['{ listen: "a:1", base_url: "https://a.example", cert: x.pem }', /webhooks\.receiver\.key.*together/],
  ] as const)('names what is wrong with its receiver: %s', ([text, fault]) => {
    const profile = `base_url: http://127.0.0.1:8080\nkeys: { K1: sk-app-x }\nwebhooks:\n  receiver: ${text}\n`;
    expect(() => load(profile)).toThrow(fault);
  });

  it('is rejected with a clear sentence when it is missing or not YAML', () => {
    expect(() => load('a: [')).toThrow('is not YAML');
    expect(() => loadProfile(join(folder, 'none.yaml'), {})).toThrow('there is no profile');
  });

  it('loads from the annotated example', () => {
    const example = fileURLToPath(new URL('../../fixtures/targets/example.yaml', import.meta.url));
    const env = new Proxy({} as NodeJS.ProcessEnv, { get: (_, name) => `value-of-${String(name)}` });
    expect(loadProfile(example, env).base_url).toMatch(/^https?:/);
  });

  it('accepts the earlier names of members', () => {
    const text = 'base_url: http://127.0.0.1:1\nkeys: { K1: k }\nlanes: [{ name: a, keys: { K1: k-a } }]\n';
    const upstream =
      'upstream: { control: "http://127.0.0.1:2", doors: { refused: { alone: a, spared: b } } }';
    const { tenants, upstream: simulated } = load(`${text}${upstream}\n`);
    expect(tenants.map(({ name }) => name)).toEqual(['a']);
    expect(simulated?.broken_listeners).toEqual({ refused: { alone: 'a', spared: 'b' } });
  });

  it('loads for each of several jobs that share a staging cluster', () => {
    const staging = fileURLToPath(new URL('../../docs/examples/staging.yaml', import.meta.url));
    const env = (tenant: string) => ({
      ...{ GATECHECK_LANE: tenant, GATECHECK_KEY: `sk-${tenant}`, GATECHECK_KEY_2: `sk-${tenant}-2` },
      GATECHECK_CONTROL_TOKEN: 'a-token-of-sixteen',
    });
    const tenants = ['lane-01', 'lane-02'].map((tenant) => loadProfile(staging, env(tenant)).tenants);
    expect(tenants.map(([tenant]) => [tenant?.name, tenant?.keys.K1])).toEqual([
      ['lane-01', 'sk-lane-01'],
      ['lane-02', 'sk-lane-02'],
    ]);
  });

  it('declares and starts nothing when made of a URL and a key', () => {
    expect(minimalProfile('https://gw.example/base', 'sk-app-x')).toMatchObject({
      name: 'gw.example',
      tenants: [],
      absent: [],
    });
  });
});

describe('the section for containers', () => {
  const read = (text: string): ReturnType<typeof readContained> => {
    writeFileSync(join(folder, 'contained.yaml'), text);
    return readContained(join(folder, 'contained.yaml'), { MY_KEY: 'sk-app-mine' });
  };

  it('is read before there is a base URL, with all texts and variables', () => {
    expect(read('base_url: http://a.example\nkeys: { K1: k }')).toBeNull();
    const contained = read(
      'container: { image: gw, environment: { KEY: env:MY_KEY, PORT: 8080 } }\nbase_url: http://container:8080',
    );
    expect(contained).toMatchObject({
      section: {
        image: 'gw',
        environment: { KEY: 'sk-app-mine', PORT: '8080' },
        ready: { seconds: 120 },
      },
      texts: ['gw', 'sk-app-mine', 'http://container:8080'],
      variables: { 'sk-app-mine': 'MY_KEY' },
    });
  });

  it.each([
    ['container: {}', /needs an image or a compose file, and not both/],
    ['container: { image: a, compose: b }', /needs an image or a compose file, and not both/],
    ['container: { compose: b, command: [x] }', /command and files belong to an image/],
    ['container: { image: a, profile: { service: s, file: /f } }', /profile.*belongs to a compose file/],
    ['container: { image: a, environment: { A: env:NONE } }', /the environment variable NONE is not set/],
    ['container: { image: a, ready: { path: healthz } }', /ready\.path/],
    ['{ container: { image: a }, process: { command: [b] } }', /either container or process/],
  ])('reports the fault of %s', (text, sentence) => {
    expect(() => read(text)).toThrow(sentence);
  });
});
