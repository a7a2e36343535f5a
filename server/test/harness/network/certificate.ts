import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** Creates a self-signed certificate for `localhost` that is valid for a day (RFC 5280, RFC 8410). */
export function selfSignedCertificate(): { key: KeyObject; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const algorithm = sequence(der(0x06, Buffer.from([0x2b, 0x65, 0x70])));
  const commonName = der(0x06, Buffer.from([0x55, 0x04, 0x03]));
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from('localhost')))));
  const oneDayMs = 86_400_000;
  const validity = sequence(utcTime(Date.now() - oneDayMs / 2), utcTime(Date.now() + oneDayMs / 2));
  const version = der(0xa0, integer(2));
  const publicKeyInfo = publicKey.export({ type: 'spki', format: 'der' });
  const toBeSigned = sequence(version, integer(1), algorithm, name, validity, name, publicKeyInfo);
  const signature = der(0x03, Buffer.concat([Buffer.of(0), sign(null, toBeSigned, privateKey)]));
  const base64 = sequence(toBeSigned, algorithm, signature).toString('base64');
  const lines = base64.match(/.{1,64}/g) ?? [];
  return {
    key: privateKey,
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  };
}

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...contents: Buffer[]): Buffer {
  return der(0x30, ...contents);
}

function integer(value: number): Buffer {
  return der(0x02, Buffer.of(value));
}

function utcTime(epochMs: number): Buffer {
  const digits = new Date(epochMs).toISOString().replace(/\D/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}
