import type { Socket } from 'node:net';

/** So many bytes are on their way at most, beyond what the sockets themselves hold. */
const mostWaiting = 256 * 1024;

/** Passes bytes, end and reset of one side on to the other, in their order, so much later. */
export function passBytes(from: Socket, to: Socket, lateMs = 0): void {
  const later = (act: () => void): void => {
    if (lateMs === 0) act();
    else setTimeout(act, lateMs);
  };
  from.setNoDelay(true);
  // Bytes that wait here must not hide from a server how slowly its caller reads.
  let waiting = 0;
  from.on('data', (bytes: Buffer) => {
    waiting += bytes.length;
    if (waiting > mostWaiting) from.pause();
    later(() => {
      const passed = (): void => {
        waiting -= bytes.length;
        if (waiting <= mostWaiting) from.resume();
      };
      if (to.writable) to.write(bytes, passed);
    });
  });
  from.on('end', () => later(() => to.end()));
  from.on('close', (broken) => later(() => (broken ? to.resetAndDestroy() : to.destroySoon())));
}
