/** Hosts that denote the deployment's machine or network, in spellings that URL parsers accept. */
export const privateHosts: readonly string[] = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '017700000001',
  '0x7f.0.0.1',
  '127.0.0.1.',
  '127.255.255.254',
  '0',
  '0.0.0.0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[::127.0.0.1]',
  '[2002:7f00:1::]',
  'localhost',
  'localhost.',
  'LOCALHOST',
  'a.localhost',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  'user@127.0.0.1',
  'example.com@127.0.0.1',
  '127.0.0.1%2e',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '①⑥⑨.254.169.254',
  '100.64.0.1',
  '[fe80::1]',
  '[fd00:ec2::254]',
];

/** Public hosts that a careless guard mistakes for private ones. */
export const harmlessHosts: readonly string[] = [
  '127.0.0.1.example.com',
  'localhost.example.com',
  'mylocalhost.com',
  'localhost-hooks.example.com',
  'internal.example.com',
  'local.example.com',
  '10.0.0.1.example.com',
  '169.254.169.254.example.com',
  'metadata.example.com',
  'fd00.example.com',
  'fe80.example.com',
  '0x7f000001.example.com',
  '2130706433.example.com',
  'hooks-127-0-0-1.example.com',
  'a10.example.com',
  '8.8.8.8',
  '[2606:4700:4700::1111]',
];

/**
 * URLs of private hosts that parsers read differently. One rejects them, or reads a name. Another drops or corrects a tab,
 * line break, space, zone or slash, and connects.
 */
export const doubtfulUrls: readonly string[] = [
  'http://169.254.169.254\n/sea.png',
  'https://127.0.0.1\t/sea.png',
  'https://127.0\r\n.0.1/sea.png',
  '\thttps://10.0.0.1/sea.png',
  ' https://10.0.0.1/sea.png',
  'ht\ntps://192.168.1.1/sea.png',
  'https://[fe80::1%lo]/sea.png',
  'https://[fe80::1%25eth0]/sea.png',
  'https:\\\\10.0.0.1\\sea.png',
  'https:/\t/10.0.0.1/sea.png',
];

/** The public addresses next to non-public networks, on both sides of each. */
export const neighbourHosts: readonly string[] = [
  ...[
    '1.0.0.1',
    '9.255.255.254',
    '11.0.0.1',
    '100.63.255.254',
    '100.128.0.1',
    '126.255.255.254',
    '128.0.0.1',
  ],
  ...['169.253.255.254', '169.255.0.1', '172.15.255.254', '172.32.0.1', '192.167.255.254', '192.169.0.1'],
  ...['198.17.255.254', '198.20.0.1', '223.255.255.254'],
  ...['[2003::1]', '[2400::1]', '[2a00::1]', '[3ffe::1]'],
];
