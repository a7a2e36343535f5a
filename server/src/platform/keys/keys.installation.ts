import type { Config } from '../config/config.ts';
import { StartError } from '../config/start-error.ts';
import type { Db } from '../database/database.ts';
import { hasKeys, type Keyring, openKeyring } from './keys.ts';
import { claimKeysIdentity, readKeysIdentity } from './keys.worker.queries.ts';

/**
 * Opens the keys, and refuses keys that the database was not used with: tokens, fingerprints of cards and webhook
 * secrets could not be read with them, and another process may be using the right ones. `acceptKeys` overrides this on
 * purpose.
 * @throws StartError
 */
export async function openInstallationKeys(db: Db, config: Config): Promise<Keyring> {
  const { acceptKeys, dataDirectory, keysFile } = config;
  const isNew = !hasKeys(config);
  const place = config.keys === undefined ? (keysFile ?? `${dataDirectory}/keys.json`) : 'KEYS';
  const known = await readKeysIdentity(db);
  if (known !== null && isNew && acceptKeys !== 'new') {
    throw new StartError(
      `This database was used with keys, but there are none in ${place}. ${ADVICE} ` +
        'If they are lost, start once with ACCEPT_KEYS=new.',
    );
  }
  const keyring = openKeyring(config);
  const identity = keyring.identity();
  if (await claimKeysIdentity(db, identity, acceptKeys === (isNew ? 'new' : identity))) return keyring;
  throw new StartError(
    `This database was used with other keys than those in ${place}. ` +
      `${ADVICE} If the others are lost, start once with ACCEPT_KEYS=${identity}.`,
  );
}

const ADVICE =
  'Put the keys.json of this installation there, or name it with KEYS_FILE: processes on one database share it. ' +
  'With other keys every user logs in again, known cards look new, each webhook endpoint needs a new secret, and each ' +
  'provider of single sign-on the secret of its client.';
