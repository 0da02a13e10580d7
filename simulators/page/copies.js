// A request as text that does it again: at the upstream, as a script or a scenario of the simulators, as a test.

import { asBase64, asText, fromBase64 } from './bytes.js';

/** @typedef {import('../control/journal.ts').JournalEntry} Entry */

/** Whose values are secrets, or follow from the rest. */
const secretHeaders = new Set(['authorization', 'x-api-key', 'x-goog-api-key', 'api-key']);
const ownHeaders = new Set(['host', 'content-length', 'connection', 'transfer-encoding', 'accept-encoding']);

/**
 * @param {Entry} entry @param {string} controlUrl
 * @returns {{ name: string, text: string }[]}
 */
export function copiesOf(entry, controlUrl) {
  const reply = replyOf(entry);
  return [
    { name: 'curl', text: curlOf(entry) },
    { name: 'Script', text: scriptOf(entry, reply, controlUrl) },
    { name: 'Scenario file', text: scenarioOf(entry, reply) },
    { name: 'node:test', text: testOf(entry, reply, 'node:test') },
    { name: 'Vitest', text: testOf(entry, reply, 'vitest') },
    { name: 'pytest', text: pytestOf(entry, reply) },
  ];
}

/** @param {Entry} entry */
function curlOf({ request }) {
  const host = request.headers.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? '127.0.0.1';
  const bytes = fromBase64(request.body_base64);
  const path = withoutKey(request.path);
  const headers = shownHeaders(request.headers);
  return [
    `curl -N -X ${request.method} ${quoted(`http://${host}${path}`)}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(bytes.length === 0 ? [] : [`--data-raw ${quoted(asText(bytes))}`]),
  ].join(' \\\n  ');
}

/** @param {string} path */
function withoutKey(path) {
  return path.replace(/([?&]key=)[^&]*/, '$1any');
}

/** Headers of the request itself, with any key in place of its own. @param {readonly (readonly [string, string])[]} headers */
function shownHeaders(headers) {
  return headers
    .filter(([name]) => !ownHeaders.has(name.toLowerCase()))
    .map(([name, value]) => [
      name,
      secretHeaders.has(name.toLowerCase()) ? (/^bearer /i.test(value) ? 'Bearer any' : 'any') : value,
    ]);
}

/** The answer as a scripted reply: its fault by name, anything else byte for byte at its times. @param {Entry} entry */
export function replyOf({ reply, received_at_ms }) {
  if (reply.fault !== undefined) {
    const { id, form, after } = reply.fault;
    return { fault: { id, ...(form === null ? {} : { form }), ...(after === null ? {} : { after }) } };
  }
  const bytes = fromBase64(reply.body_base64);
  const isRaw = asText(bytes.subarray(0, 7)) === 'HTTP/1.';
  let from = 0;
  /** @type {{ at_ms: number, text?: string, base64?: string }[]} */
  const chunks = isRaw || reply.status === null ? [] : [{ at_ms: 0, text: headOf(reply, bytes.length) }];
  for (const { bytes: count, actual_ms } of reply.sends) {
    const part = bytes.subarray(from, from + count);
    from += count;
    if (part.length > 0)
      chunks.push({ at_ms: Math.max(0, Math.round(actual_ms - received_at_ms)), ...asRecorded(part) });
  }
  const ended = Math.max(chunks.at(-1)?.at_ms ?? 0, Math.round((reply.ended_at_ms ?? 0) - received_at_ms));
  return { replay: { chunks, ended: reply.ended === 'cut' ? 'rst' : 'fin', ended_at_ms: ended } };
}

/**
 * The head as it was sent, but for what the connection of a replay decides. Clients take a body without a length for whole
 * when its connection breaks, so one that was cut says a length that never arrives.
 * @param {Entry['reply']} reply @param {number} bytes
 */
function headOf({ status, headers, ended }, bytes) {
  const length = ended === 'cut' ? `content-length: ${bytes + 1}\r\n` : '';
  const lines = headers
    .filter(([name]) => !ownHeaders.has(name.toLowerCase()))
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status ?? 200} \r\n${lines.join('')}${length}connection: close\r\n\r\n`;
}

/** @param {Uint8Array} bytes */
function asRecorded(bytes) {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { base64: asBase64(bytes) };
  }
}

/** @param {Entry} entry @param {object} reply @param {string} controlUrl */
function scriptOf({ tenant, channel }, reply, controlUrl) {
  const script = JSON.stringify({ channel, replies: [reply] });
  return `curl ${quoted(`${controlUrl}/tenants/${tenant}/scripts`)} \\\n  -d ${quoted(script)}`;
}

/** Strings of JSON are strings of YAML as well. @param {Entry} entry @param {object} reply */
function scenarioOf({ n, channel }, reply) {
  const what = 'fault' in reply ? reply : { reply };
  return `name: from-request-${n}
description: Answers the channel ${JSON.stringify(channel).slice(1, -1)} as request ${n} was answered.
channels:
  ${JSON.stringify(channel)}:
    faults:
      - ${JSON.stringify(what)}
`;
}

/** How a test of each runner begins, and how it gets an upstream of its own. */
const runners = {
  'node:test': {
    run: 'npm i -D gatecheck-simulators; node --test copied.test.mjs',
    imports:
      "import { test } from 'node:test';\nimport { upstreamFor } from 'gatecheck-simulators/node-test';",
    opens: 'async (context) => {\n  const upstream = await upstreamFor(context);',
  },
  vitest: {
    run: 'npm i -D vitest gatecheck-simulators; npx vitest run copied.test.mjs',
    imports: "import { test } from 'gatecheck-simulators/vitest';",
    opens: 'async ({ upstream }) => {',
  },
};

/** A test that passes as it is: it sends the request again. @param {Entry} entry @param {object} reply @param {keyof typeof runners} runner */
function testOf(entry, reply, runner) {
  const { run, imports, opens } = runners[runner];
  const { method, path, headers, body } = sentAgain(entry);
  return `// ${run}
import assert from 'node:assert/strict';
${imports}

test('a call whose upstream answers as in request ${entry.n}', ${opens}
  upstream.script(${JSON.stringify({ replies: [reply] })});
  // Call your own code here, with upstream.url or upstream.v1 as the base URL of its provider.
  const call = async () => {
    const answer = await fetch(\`\${upstream.url}${path}\`, {
      method: ${JSON.stringify(method)},
      headers: ${JSON.stringify(headers)},${body === '' ? '' : `\n      body: ${JSON.stringify(body)},`}
    });
    await answer.text();
    return answer.status;
  };
  ${entry.reply.ended === 'complete' ? `assert.equal(await call(), ${entry.reply.status});` : 'await assert.rejects(call);'}
});
`;
}

/** The same for the fixture of pytest. Its raw texts are JSON. @param {Entry} entry @param {object} reply */
function pytestOf(entry, reply) {
  const { method, path, headers, body } = sentAgain(entry);
  const literal = (/** @type {unknown} */ value) => JSON.stringify(JSON.stringify(value));
  const call = 'urlopen(request, timeout=30).read()';
  return `# pip install gatecheck-simulators pytest; pytest test_copied.py
import json
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest


def test_answers_as_in_request_${entry.n}(upstream):
    upstream.on({}, json.loads(${literal(reply)}))
    # Call your own code here, with upstream.url or upstream.v1 as the base URL of its provider.
    request = Request(
        upstream.url + ${JSON.stringify(path)},
        method=${JSON.stringify(method)},
        headers=json.loads(${literal(headers)}),
        data=${body === '' ? 'None' : `${JSON.stringify(body)}.encode()`},
    )
${
  entry.reply.ended !== 'complete'
    ? `    with pytest.raises((OSError, HTTPException)):\n        ${call}`
    : (entry.reply.status ?? 0) < 400
      ? `    assert urlopen(request, timeout=30).status == ${entry.reply.status}`
      : `    with pytest.raises(HTTPError) as refused:\n        ${call}\n    assert refused.value.code == ${entry.reply.status}`
}
`;
}

/** The request below its tenant and channel, without what is secret or follows from the rest. @param {Entry} entry */
function sentAgain({ tenant, channel, request }) {
  const own = `/${tenant}/${channel}/`;
  const path = request.path.startsWith(own) ? request.path.slice(own.length - 1) : request.path;
  const kept = shownHeaders(request.headers).map(([name = '', value]) => [name.toLowerCase(), value]);
  return {
    method: request.method,
    path: withoutKey(path),
    headers: Object.fromEntries(kept),
    body: asText(fromBase64(request.body_base64)),
  };
}

/** As one word of a POSIX shell. @param {string} text */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
