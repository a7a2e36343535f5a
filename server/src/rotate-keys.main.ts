/**
 * `npm run rotate-keys`: puts a new token-signing key and a new fingerprint key in front of the old ones in the data
 * directory. Running servers take them up within a second; what the old keys signed is still understood.
 */
import { readConfig } from './config.ts';
import { rotateKeys } from './keys/keys.ts';

try {
  const { signingKeyId, fingerprintKeyVersion } = rotateKeys(readConfig().dataDirectory);
  process.stdout.write(
    `New token-signing key: ${signingKeyId}\nNew fingerprint key: version ${fingerprintKeyVersion}\n`,
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
