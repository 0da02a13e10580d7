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
    { name: 'Test', text: testOf(entry, reply, controlUrl) },
  ];
}

/** @param {Entry} entry */
function curlOf({ request }) {
  const host = request.headers.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? '127.0.0.1';
  const bytes = fromBase64(request.body_base64);
  const path = request.path.replace(/([?&]key=)[^&]*/, '$1any');
  const headers = request.headers
    .filter(([name]) => !ownHeaders.has(name.toLowerCase()))
    .map(([name, value]) => [
      name,
      secretHeaders.has(name.toLowerCase()) ? (/^bearer /i.test(value) ? 'Bearer any' : 'any') : value,
    ]);
  return [
    `curl -N -X ${request.method} ${quoted(`http://${host}${path}`)}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(bytes.length === 0 ? [] : [`--data-raw ${quoted(asText(bytes))}`]),
  ].join(' \\\n  ');
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
  const chunks = isRaw ? [] : [{ at_ms: 0, text: headOf(reply) }];
  for (const { bytes: count, actual_ms } of reply.sends) {
    const part = bytes.subarray(from, from + count);
    from += count;
    if (part.length > 0)
      chunks.push({ at_ms: Math.max(0, Math.round(actual_ms - received_at_ms)), ...asRecorded(part) });
  }
  const ended = Math.max(chunks.at(-1)?.at_ms ?? 0, Math.round((reply.ended_at_ms ?? 0) - received_at_ms));
  return { replay: { chunks, ended: reply.ended === 'cut' ? 'rst' : 'fin', ended_at_ms: ended } };
}

/** The head as it was sent, but for what the connection of a replay decides. @param {Entry['reply']} reply */
function headOf({ status, headers }) {
  const lines = headers
    .filter(([name]) => !ownHeaders.has(name.toLowerCase()))
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status ?? 200} \r\n${lines.join('')}connection: close\r\n\r\n`;
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

/** @param {Entry} entry @param {object} reply @param {string} controlUrl */
function testOf({ n, tenant, channel }, reply, controlUrl) {
  return `// Where gatecheck is installed: GATEWAY_CALL_URL=https://… GATEWAY_BODY='{…}' GATECHECK_KEY=… node --test this-file.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SimulatorControl } from 'gatecheck-simulators/client';

test('a call whose upstream answers as in request ${n}', async () => {
  const control = new SimulatorControl(process.env.CONTROL_URL ?? ${JSON.stringify(controlUrl)});
  const tenant = control.tenant(${JSON.stringify(tenant)});
  try {
    await tenant.reset();
    await tenant.script(${JSON.stringify({ channel, replies: [reply] })});
    // Your call of the gateway: GATEWAY_CALL_URL is its address, GATEWAY_BODY what it is sent.
    const answer = await fetch(process.env.GATEWAY_CALL_URL ?? '', {
      method: 'POST',
      headers: { authorization: \`Bearer \${process.env.GATECHECK_KEY}\`, 'content-type': 'application/json' },
      body: process.env.GATEWAY_BODY ?? '',
    });
    await answer.text();
    const { entries } = await tenant.journal({ ended: 1 });
    assert.equal(entries[0]?.channel, ${JSON.stringify(channel)});
    // State here what your caller has to get.
    assert.equal(answer.status, 200);
  } finally {
    await tenant.reset();
    await control.close();
  }
});
`;
}

/** As one word of a POSIX shell. @param {string} text */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
