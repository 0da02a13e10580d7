import { Server } from 'node:net';

// Preloaded into a program that would listen on every interface and not print its port.

const { listen } = Server.prototype;
Server.prototype.listen = function listenOnLoopback(...args) {
  this.once('listening', () => process.stdout.write(`http://127.0.0.1:${this.address().port}\n`));
  const whenListening = args.find((one) => typeof one === 'function');
  return listen.call(this, { host: '127.0.0.1', port: 0 }, whenListening);
};
