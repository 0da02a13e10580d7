const { default: Server } = require('@musistudio/llms');

const server = new Server({
  logger: false,
  initialConfig: {
    providers: [
      {
        name: 'sim',
        api_base_url: 'http://127.0.0.1:9400/v1/chat/completions',
        api_key: 'a-key-of-the-upstream',
        models: ['a52-2026-08-07', 'ac-2026-03-01', 'd3-2026-07-11'],
      },
    ],
    HOST: '127.0.0.1',
    PORT: 8795,
  },
});
server.start();
