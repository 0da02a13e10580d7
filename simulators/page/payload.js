// The body within raw bytes of a connection: without head and chunk sizes. Only faults of the wire are kept raw.

import { asText } from './bytes.js';

/**
 * @typedef {object} Payload
 * @property {Uint8Array} bytes
 * @property {(end: number) => number} rawEnd where in the raw bytes the first `end` bytes of the body end
 */

/** What is no raw answer is its own body. @param {Uint8Array} raw @returns {Payload} */
export function payloadOf(raw) {
  const whole = { bytes: raw, rawEnd: (/** @type {number} */ end) => end };
  if (asText(raw.subarray(0, 7)) !== 'HTTP/1.') return whole;
  const text = latin1(raw);
  const headEnd = text.indexOf('\r\n\r\n') + 4;
  if (headEnd < 4) return whole;
  const isChunked = /\r\ntransfer-encoding: *chunked/i.test(text.slice(0, headEnd));
  return joined(raw, isChunked ? chunksOf(text, headEnd) : [{ from: headEnd, to: raw.length }]);
}

/** Where the contents of chunks lie, as far as their sizes can be read. @param {string} text @param {number} at */
function chunksOf(text, at) {
  const parts = [];
  let next = at;
  for (;;) {
    const end = text.indexOf('\r\n', next);
    const size = end < 0 ? NaN : Number.parseInt(text.slice(next, end), 16);
    if (!(size > 0)) return parts;
    parts.push({ from: end + 2, to: Math.min(text.length, end + 2 + size) });
    next = end + 2 + size + 2;
    if (next >= text.length) return parts;
  }
}

/** @param {Uint8Array} raw @param {readonly { from: number, to: number }[]} parts @returns {Payload} */
function joined(raw, parts) {
  const bytes = new Uint8Array(parts.reduce((sum, { from, to }) => sum + to - from, 0));
  let at = 0;
  const places = parts.map(({ from, to }) => {
    bytes.set(raw.subarray(from, to), at);
    const begins = at;
    at += to - from;
    return { begins, from };
  });
  return {
    bytes,
    rawEnd: (end) => {
      const place = places.findLast(({ begins }) => begins < end);
      return place === undefined ? end : place.from + end - place.begins;
    },
  };
}

/** One character a byte, so that places stay. @param {Uint8Array} bytes */
function latin1(bytes) {
  return new TextDecoder('latin1').decode(bytes);
}
