// Bytes as people read them.

/** @param {string} text @returns {Uint8Array} */
export function fromBase64(text) {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = characters.charCodeAt(at);
  return bytes;
}

/** Piece by piece, because a call takes only so many arguments. @param {Uint8Array} bytes */
export function asBase64(bytes) {
  const most = 8192;
  const pieces = Array.from({ length: Math.ceil(bytes.length / most) }, (_, at) =>
    String.fromCharCode(...bytes.subarray(at * most, (at + 1) * most)),
  );
  return btoa(pieces.join(''));
}

/** As UTF-8, with U+FFFD for what is none. @param {Uint8Array} bytes */
export function asText(bytes) {
  return new TextDecoder().decode(bytes);
}

/** JSON with line breaks where it is JSON, else the text as it is. @param {Uint8Array} bytes */
export function asPretty(bytes) {
  const text = asText(bytes);
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Sixteen bytes a line: offset, codes, characters. @param {Uint8Array} bytes @param {number} [limit] */
export function asHex(bytes, limit = bytes.length) {
  const lines = [];
  for (let at = 0; at < Math.min(limit, bytes.length); at += 16) {
    const line = [...bytes.subarray(at, Math.min(at + 16, limit))];
    const codes = line.map((byte) => byte.toString(16).padStart(2, '0'));
    const halves = [codes.slice(0, 8).join(' '), codes.slice(8).join(' ')].join('  ').padEnd(48);
    const shown = line
      .map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.'))
      .join('');
    lines.push(`${at.toString(16).padStart(8, '0')}  ${halves}  ${shown}`);
  }
  return lines.join('\n');
}

/** @param {number} count */
export function asSize(count) {
  if (count < 1000) return `${count} B`;
  if (count < 999_950) return `${(count / 1000).toFixed(1)} kB`;
  return `${(count / 1e6).toFixed(1)} MB`;
}

/** @param {number} ms */
export function asTime(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(ms < 9950 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
