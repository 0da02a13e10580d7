import { defineCheck } from '../../engine/check.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { imageBlock, textBlock } from '../../oracle/sample-images.ts';
import { png } from '../../oracle/sample-media.ts';
import { part } from '../../rules/violation.ts';
import { judgeAccepted, visionModels } from '../../steps/chat/judge-cell.ts';
import { isSuccess } from '../../wire/exchange.ts';

const bare = png.base64.replaceAll('=', '');

/** Media that no model can use, and odd data URIs. A gateway need not inspect them (reading B-28). */
const unusable: Readonly<Record<string, { requirement: string; address: string }>> = {
  'base64 without its padding': { requirement: 'MSG-018', address: `data:image/png;base64,${bare}A` },
  'base64 of the alphabet for URLs': { requirement: 'MSG-018', address: 'data:image/png;base64,-_-_' },
  'base64 in two lines': { requirement: 'MSG-018', address: 'data:image/png;base64,AAAA\r\nAAAA' },
  'a type in capitals': { requirement: 'MSG-018', address: png.dataUri.replace('image/png', 'IMAGE/PNG') },
  'a type with a parameter': {
    requirement: 'MSG-018',
    address: png.dataUri.replace('image/png', 'image/png;name=sea.png'),
  },
  'the scheme in capitals': { requirement: 'MSG-018', address: png.dataUri.replace('data:', 'DATA:') },
  'bytes that are not PNG': { requirement: 'MSG-018', address: 'data:image/png;base64,AAAA' },
  'an unknown image type': { requirement: 'MSG-018', address: 'data:image/zz;base64,AAAA' },
  'an unknown media type': { requirement: 'MSG-018', address: 'data:zz/zz;base64,AAAA' },
  'a host that does not exist': { requirement: 'MSG-017', address: 'https://no-such-host.invalid/sea.png' },
  'a port on which nothing listens': { requirement: 'MSG-017', address: 'http://127.0.0.1:9/sea.png' },
};

/** Codes for an invalid field, a missing capability, or an upstream failure. */
const codes: readonly ErrorCode[] = ['invalid_param', 'unsupported_capability', 'upstream_error'];

export const unusableMediaEndCleanly = defineCheck({
  id: 'msg.media.unusable',
  title: 'unusable media and odd data URIs are answered cleanly, never as an internal error',
  requirements: ['MSG-017', 'MSG-018'],
  kind: 'example',
  needs: [],
  run: async ({ cases, newScene, http, judge, target }) => {
    for (const model of target.few(visionModels(target)))
      await part(async () => {
        const some = target.few(Object.entries(unusable), ([, one]) => one.requirement);
        for (const [title, { requirement, address }] of some) {
          cases.count();
          const content = [imageBlock(address), textBlock(newScene().prompt())];
          const body = { model, messages: [{ role: 'user', content }] };
          const exchange = await http.chat(body, { label: `${title}, on ${model}` });
          const rule = { requirement, aspect: 'unusable-clean' };
          if (isSuccess(exchange)) judgeAccepted(judge, body, exchange, rule);
          else judge.refused(exchange, { ...rule, codes });
        }
      });
  },
});

/** The medium is fine, but the upstream rejects it. */
export const refusedMediaAreMapped = defineCheck({
  id: 'msg.media.upstream-refuses',
  title: 'media refused by the upstream are answered invalid_param or upstream_error',
  requirements: ['MSG-018'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async ({ cases, newScene, http, judge, target }) => {
    for (const model of visionModels(target))
      await part(async () => {
        cases.count();
        const scene = newScene();
        await scene.script({ status: 400 });
        const content = [imageBlock(png.dataUri), textBlock(scene.prompt())];
        const label = `the upstream of ${model} refuses`;
        const exchange = await http.chat({ model, messages: [{ role: 'user', content }] }, { label });
        const rule = { requirement: 'MSG-018', aspect: 'refused-upstream' };
        judge.refused(exchange, { ...rule, codes: ['invalid_param', 'upstream_error'] });
      });
  },
});
