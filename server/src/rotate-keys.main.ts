/**
 * `npm run rotate-keys`: puts a new key for tokens, one for fingerprints and one for secrets in front of the old ones in their
 * file. Running servers publish and use them by themselves; what the old keys signed and encrypted is still understood.
 */
import { GATEWAYS } from './gateways/gateways.ts';
import { readConfig } from './platform/config/config.ts';
import { rotateKeys } from './platform/keys/keys.ts';

try {
  const { signingKeyId, signsFrom, fingerprintKeyVersion } = rotateKeys(readConfig(GATEWAYS));
  process.stdout.write(
    `New token-signing key: ${signingKeyId}, published now, signs from ${signsFrom}\n` +
      `New fingerprint key: version ${fingerprintKeyVersion}\n`,
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
