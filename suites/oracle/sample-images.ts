/** A complete PNG of one pixel: legal as a data URI under every reading. */
export const pixelBase64 =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const pixelDataUri = `data:image/png;base64,${pixelBase64}`;

/** Nothing fetches it: gateways forward media URLs (reading B-28), and simulated upstreams only record them. */
export const imageHttpsUrl = 'https://media.example.com/pictures/sea.png?size=small&v=2';
/** A signed URL, whose query changes if it is parsed and printed again. */
export const imageSignedUrl =
  'https://media.example.com/p/deep%20sea.png?X-Sig=a%2Fb%2Bc%3D%3D&flag&q=deep%20sea,blue&x=~1';
export const imageHttpUrl = 'http://media.example.com/pictures/sea.png';

export interface ContentBlock {
  readonly type: string;
  readonly text?: string;
  readonly image_url?: { readonly url: string };
}

export function imageBlock(url: string = pixelDataUri): ContentBlock {
  return { type: 'image_url', image_url: { url } };
}

export function textBlock(text: string): ContentBlock {
  return { type: 'text', text };
}
