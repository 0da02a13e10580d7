/** A body with the highest processing cost for its size. */
export interface WorstBody {
  readonly title: string;
  readonly path: string;
  readonly text: string;
}

const mebibyte = 1024 * 1024;
const core = '/api/v1/chat/completions';
const pathA = '/compat-a/v1/messages';
const pathB = '/compat-b/v1beta/models/gamma-3-pro:generateContent';
const tasks = '/api/v1/tasks';
const pictures = '/api/v1/images/generations';

const inCore = (fields: string, model = 'alpha-5-2'): string => `{"model":"${model}",${fields}}`;
const said = (content: string): string => `"messages":[{"role":"user","content":${content}}]`;
const times = (text: string, count: number): string => `[${Array(count).fill(text).join(',')}]`;
/** Items that differ by their number. */
const items = (count: number, item: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => item(at)).join(',');
const wideSchema = `{"type":"object","properties":{${items(4_900, (at) => `"p${at}":{"type":"string"}`)}}}`;
const ofA = (fields: string): string => `{"model":"beta-large-4-5","max_tokens":5,${fields}}`;
const picture = `data:image/png;base64,${'A'.repeat(20 * mebibyte)}`;
const prose = 'It was the sea, again. '.repeat(mebibyte);

/** The worst known bodies, both rejected and served. */
export const worstBodies: readonly WorstBody[] = [
  { title: '330,000 messages of nothing', path: core, text: inCore(`"messages":${times('{}', 330_000)}`) },
  { title: '9,900 messages of nothing', path: core, text: inCore(`"messages":${times('{}', 9_900)}`) },
  {
    title: '9,900 messages',
    path: core,
    text: inCore(`"messages":${times('{"role":"user","content":"x"}', 9_900)}`),
  },
  { title: '9,900 blocks', path: core, text: inCore(said(times('{"type":"text","text":"x"}', 9_900))) },
  {
    title: '9,900 blocks with one fault at the end',
    path: core,
    text: inCore(said(times('{"type":"text","text":"x"}', 9_900).replace(/\}\]$/, ',"x":1}]'))),
  },
  {
    title: '9,000 tools',
    path: core,
    text: inCore(`${said('"x"')},"tools":${times('{"type":"function","function":{"name":"f"}}', 9_000)}`),
  },
  {
    title: '9,900 unknown members',
    path: core,
    text: inCore(Array.from({ length: 9_900 }, (_, i) => `"m${i}":1`).join(',')),
  },
  {
    title: 'numbers of many digits',
    path: core,
    text: inCore(`${said('"x"')},"seed":${times('12345678901234567890', 9_900)}`),
  },
  {
    title: 'a picture of 15 MB',
    path: core,
    text: inCore(said(`[{"type":"image_url","image_url":{"url":"${picture}"}}]`)),
  },
  {
    title: 'a picture of 15 MB with one fault',
    path: core,
    text: inCore(said(`[{"type":"image_url","image_url":{"url":"${picture}!"}}]`)),
  },
  { title: '23 MB of prose', path: core, text: inCore(said(`"${prose}"`)) },
  {
    title: '23 MB of prose, and how much is wanted',
    path: core,
    text: inCore(`${said(`"${prose}"`)},"max_tokens":100`),
  },
  { title: '30 MB of blanks', path: core, text: inCore(`${said('"x"')}${' '.repeat(30 * mebibyte)}`) },
  { title: '16 MB of Chinese', path: core, text: inCore(said(`"${'漢'.repeat(5 * mebibyte)}"`)) },
  { title: 'two million escapes', path: core, text: inCore(said(`"${'\\u6f22'.repeat(1_999_999)}"`)) },
  { title: 'four million escaped quotes', path: core, text: inCore(said(`"${'\\"'.repeat(4_000_000)}"`)) },
  {
    title: 'an emoji cut in two beside much text',
    path: core,
    text: inCore(said(`"\\ud83d${prose}"`), 'delta-3'),
  },
  { title: 'deep lists', path: core, text: inCore(said(`${'['.repeat(500)}${']'.repeat(500)}`)) },
  {
    title: 'a tool with 4,900 properties',
    path: core,
    text: inCore(
      `${said('"x"')},"tools":[{"type":"function","function":{"name":"f","parameters":${wideSchema}}}]`,
    ),
  },
  {
    title: '2,400 calls and results',
    path: core,
    text: inCore(
      `"messages":[{"role":"user","content":"x"},${items(
        2_400,
        (at) =>
          `{"role":"assistant","content":null,"tool_calls":[{"id":"c${at}","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c${at}","content":"x"}`,
      )}]`,
    ),
  },
  { title: 'streamed: 23 MB of prose', path: core, text: inCore(`${said(`"${prose}"`)},"stream":true`) },
  {
    title: 'streamed: 9,900 messages',
    path: core,
    text: inCore(`"messages":${times('{"role":"user","content":"x"}', 9_900)},"stream":true`),
  },
  {
    title: 'links of odd hosts',
    path: core,
    text: inCore(
      said(
        `[${items(3_000, (at) => `{"type":"image_url","image_url":{"url":"https://${at}.0x7f.1/${at}"}}`)}]`,
      ),
    ),
  },
  {
    title: 'path A: 9,000 tools',
    path: pathA,
    text: ofA(
      `${said('"x"')},"tools":[${items(9_000, (at) => `{"name":"f${at}","input_schema":{"type":"object"}}`)}]`,
    ),
  },
  {
    title: 'path A: 2,400 calls and results',
    path: pathA,
    text: ofA(
      `"messages":[{"role":"user","content":"x"},${items(
        2_400,
        (at) =>
          `{"role":"assistant","content":[{"type":"tool_use","id":"toolu_${at}","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_${at}","content":"x"}]}`,
      )}]`,
    ),
  },
  {
    title: 'path B: 9,000 declarations',
    path: pathB,
    text: `{"contents":[{"parts":[{"text":"x"}]}],"tools":[{"functionDeclarations":[${items(9_000, (at) => `{"name":"f${at}"}`)}]}]}`,
  },
  {
    title: 'path B: 2,400 calls and results',
    path: pathB,
    text: `{"contents":[{"parts":[{"text":"x"}]},${items(
      2_400,
      (at) =>
        `{"role":"model","parts":[{"functionCall":{"name":"f${at}","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f${at}","response":{}}}]}`,
    )}]}`,
  },
  { title: 'a voice: 23 MB of text', path: tasks, text: `{"model":"voice-v3","text":"${prose}"}` },
  {
    title: 'a task: 9,900 members of metadata',
    path: tasks,
    text: `{"model":"vidB2","prompt":"x","metadata":{${items(9_900, (at) => `"m${at}":"v"`)}}}`,
  },
  {
    title: 'pictures: 9,900 references',
    path: pictures,
    text: `{"model":"edit-image","prompt":"x","image_urls":[${items(9_900, (at) => `"https://media.example.com/${at}.png"`)}]}`,
  },
  {
    title: 'path A: 9,900 turns',
    path: pathA,
    text: ofA(`"messages":${times('{"role":"user","content":"x"}', 9_900)}`),
  },
  {
    title: 'path A: 9,900 blocks',
    path: pathA,
    text: ofA(said(times('{"type":"text","text":"x"}', 9_900))),
  },
  { title: 'path A: 23 MB of prose', path: pathA, text: ofA(said(`"${prose}"`)) },
  {
    title: 'path A: a picture of 15 MB',
    path: pathA,
    text: ofA(
      said(
        `[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"${picture.slice(22)}"}}]`,
      ),
    ),
  },
  {
    title: 'path B: 9,900 contents',
    path: pathB,
    text: `{"contents":${times('{"parts":[{"text":"x"}]}', 9_900)}}`,
  },
  {
    title: 'path B: 9,900 parts',
    path: pathB,
    text: `{"contents":[{"parts":${times('{"text":"x"}', 9_900)}}]}`,
  },
  { title: 'path B: 23 MB of prose', path: pathB, text: `{"contents":[{"parts":[{"text":"${prose}"}]}]}` },
  { title: 'a task: 23 MB of prompt', path: tasks, text: `{"model":"vidB2","prompt":"${prose}"}` },
  {
    title: 'a task: 9,900 references',
    path: tasks,
    text: `{"model":"vidA-3.1-fast","prompt":"x","reference_images":${times('"https://media.example.com/a.png"', 9_900)}}`,
  },
  {
    title: 'pictures: a reference of 15 MB',
    path: pictures,
    text: `{"model":"edit-image","prompt":"x","image_url":"${picture}"}`,
  },
];
