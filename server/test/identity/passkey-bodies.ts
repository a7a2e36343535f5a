import { makePasskey, usePasskey } from '../customers/authenticator.ts';

/** A challenge that the service has not given. */
const OPTIONS = {
  rp: { id: 'localhost' },
  rpId: 'localhost',
  user: { id: 'AAAAAAAAAAAAAAAAAAAAAA' },
  challenge: 'A'.repeat(43),
};
const ORIGIN = 'http://localhost:3000';
const { device, passkey } = makePasskey(ORIGIN, OPTIONS);

/** A new passkey, and a login with it, for a challenge that the service has not given. */
export const unknownPasskey = { made: passkey, used: { passkey: usePasskey(ORIGIN, device, OPTIONS) } };

const IDS = { 'passkey.id': 1_400, 'passkey.rawId': 1_400, 'passkey.response.clientDataJSON': 8_000 };

/** How long the texts of both may be. */
export const PASSKEY_TEXTS = {
  made: { ...IDS, 'passkey.response.attestationObject': 8_000 },
  used: { ...IDS, 'passkey.response.authenticatorData': 8_000, 'passkey.response.signature': 8_000 },
};
