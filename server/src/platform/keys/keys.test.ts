import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { logIn, pollUntil } from '../../../test/customers/accounts.ts';
import { CARDS, cardBody, expectStatus, saveAddress, saveCard, signUpAdmin } from '../../../test/customers/actors.ts';
import { readToken } from '../../../test/customers/tokens.ts';
import type { Answer } from '../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { openKeyring, rotateKeys } from './keys.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => service.stop());

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'paydesk-keys-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

type KeyFile = {
  signing: { keyId: string; privateKey: string; signsFrom: string }[];
  sealing: { version: number; secret: string }[];
  fingerprint: { version: number; secret: string }[];
  request: string;
};

function readKeyFile(directory: string): KeyFile {
  return JSON.parse(readFileSync(join(directory, 'keys.json'), 'utf8'));
}

/** Rotates as if it had been done this long ago: the published key signs by now. */
function rotateAnHourAgo(directory: string) {
  return rotateKeys(directory, Date.now() - 3_600_000);
}

const keyIdOf = (token: string) => readToken(token).header.kid;

async function publishedKeyIds(): Promise<string[]> {
  const { body } = await service.call('GET', '/.well-known/jwks.json');
  return body.keys.map(({ kid }: { kid: string }) => kid);
}

describe('rotating the keys under load', () => {
  // Security (Card numbers and keys): Keys rotate under load, and no request fails
  it('fails no request; old tokens stay valid, new ones have the new kid, and the JWK Set has both', async () => {
    const admin = await signUpAdmin(service);
    const addressId = await saveAddress(service, admin);
    await saveCard(service, admin);
    const { dataDirectory } = service.config;
    const before = readKeyFile(dataDirectory).signing.map(({ keyId }) => keyId);
    expect(before).toContain(keyIdOf(admin.token));

    let isOver = false;
    const answers: Answer[] = [];
    const { token } = admin;
    const requests: (() => Promise<Answer>)[] = [
      () => service.call('GET', '/payments/cards', { token }),
      async () => {
        const saved = await service.call('POST', '/payments/cards', { token, body: cardBody(addressId) });
        return saved.status === 201 ? service.call('DELETE', `/payments/cards/${saved.body.id}`, { token }) : saved;
      },
      () => service.call('POST', '/payments/addresses', { token, body: {}, headers: { 'idempotency-key': 'again' } }),
      () => logIn(service, admin),
      async () => service.call('GET', '/labels', { token: (await logIn(service, admin)).body.data.access_token }),
    ];
    const load = requests.map(async (send) => {
      while (!isOver) {
        answers.push(await send());
        await sleep(25);
      }
    });

    const rotated: string[] = [];
    for (let time = 1; time <= 3; time += 1) {
      rotated.unshift(rotateAnHourAgo(dataDirectory).signingKeyId);
      // The new key is in use within about a second, in this process and in every other.
      await pollUntil(
        () => logIn(service, admin),
        (answer) => keyIdOf(answer.body.data.access_token) === rotated[0],
      );
    }
    isOver = true;
    await Promise.all(load);

    expect(answers.filter(({ status }) => status >= 300).map(({ text }) => text)).toEqual([]);
    expect(answers.length).toBeGreaterThan(requests.length);
    expect(await publishedKeyIds()).toEqual([...rotated, ...before]);
    expectStatus(await service.call('GET', '/labels', { token }), 200);
  });

  it('gives cards saved from then on a fingerprint of the new key', async () => {
    const admin = await signUpAdmin(service);
    const versionOf = async (cardNumber: string) => {
      const id = await saveCard(service, admin, { cardNumber });
      const [row] = await service.database.owner`SELECT fingerprint_key_version AS version FROM cards WHERE id = ${id}`;
      return row?.version;
    };
    const before = await versionOf(CARDS.visa);
    const { fingerprintKeyVersion } = rotateKeys(service.config.dataDirectory);
    expect(before).toBeLessThan(fingerprintKeyVersion);
    await pollUntil(
      () => versionOf(CARDS.visa),
      (version) => version === fingerprintKeyVersion,
    );
    const cards = await service.database.owner`
      SELECT DISTINCT fingerprint FROM cards WHERE company_id = ${admin.companyId}`;
    expect(cards).toHaveLength(2);
  });
});

describe('a new token-signing key', () => {
  it('is published at once, but does not sign yet: a verifier that has just fetched the keys accepts every token', async () => {
    const admin = await signUpAdmin(service);
    const remembered = createLocalJWKSet((await service.call('GET', '/.well-known/jwks.json')).body);
    const { signingKeyId } = rotateKeys(service.config.dataDirectory);
    await pollUntil(publishedKeyIds, ([newest]) => newest === signingKeyId);
    for (let time = 1; time <= 3; time += 1) {
      const token = (await logIn(service, admin)).body.data.access_token;
      expect(keyIdOf(token)).not.toBe(signingKeyId);
      await jwtVerify(token, remembered);
    }
  });

  // Security (Card numbers and keys): A new token-signing key is published before it signs, for as long as verifiers may cache the key set
  it('signs from the time that the rotation names, when every key set without it has expired', async () => {
    const directory = newDirectory();
    let nowMs = Date.now();
    const keyring = openKeyring(directory, () => nowMs);
    const [old] = keyring.signing();
    const rotatedAtMs = nowMs;
    const { signingKeyId, signsFrom } = rotateKeys(directory, rotatedAtMs);
    expect(keyring.findSigningKey(signingKeyId)?.keyId).toBe(signingKeyId);

    const { headers } = await service.call('GET', '/.well-known/jwks.json');
    const maxAgeSeconds = Number(/^public, max-age=(\d+)$/.exec(headers.get('cache-control') ?? '')?.[1]);
    expect(Date.parse(signsFrom) - rotatedAtMs).toBeGreaterThanOrEqual((maxAgeSeconds + 10) * 1_000);

    const signerAt = (instantMs: number) => {
      nowMs = instantMs;
      return keyring.signingKey().keyId;
    };
    expect(signerAt(rotatedAtMs)).toBe(old?.keyId);
    expect(signerAt(Date.parse(signsFrom) - 1)).toBe(old?.keyId);
    expect(signerAt(Date.parse(signsFrom))).toBe(signingKeyId);
    expect(keyring.signing().map(({ keyId }) => keyId)).toEqual([signingKeyId, old?.keyId]);
  });

  it('does not delay the one before it: of several, the newest whose time has come signs', () => {
    const directory = newDirectory();
    let nowMs = Date.now();
    const keyring = openKeyring(directory, () => nowMs);
    const first = rotateKeys(directory, nowMs);
    const second = rotateKeys(directory, nowMs + 60_000);
    expect(keyring.findSigningKey(second.signingKeyId)).toBeDefined();
    nowMs = Date.parse(first.signsFrom);
    expect(keyring.signingKey().keyId).toBe(first.signingKeyId);
    nowMs = Date.parse(second.signsFrom);
    expect(keyring.signingKey().keyId).toBe(second.signingKeyId);
  });

  it('signs at once when it is the only one: at the first start, and when the older ones were removed', () => {
    const directory = newDirectory();
    const { keyId } = openKeyring(directory).signingKey();
    expect(readKeyFile(directory).signing[0]?.keyId).toBe(keyId);
    const { signingKeyId } = rotateKeys(directory);
    const file = readKeyFile(directory);
    writeFileSync(join(directory, 'keys.json'), JSON.stringify({ ...file, signing: file.signing.slice(0, 1) }));
    const keyring = openKeyring(directory);
    expect(keyring.signingKey().keyId).toBe(signingKeyId);
    expect(keyring.findSigningKey(keyId)).toBeUndefined();
  });
});

describe('keys.json', () => {
  it('is created once, readable by its owner only, and leaves nothing beside it', () => {
    const directory = newDirectory();
    const first = openKeyring(directory).signing();
    const second = openKeyring(directory).signing();
    expect(second.map(({ keyId }) => keyId)).toEqual(first.map(({ keyId }) => keyId));
    expect(statSync(join(directory, 'keys.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(['keys.json']);
  });

  it('stays readable by its owner alone after a rotation, with nothing beside it but an empty lock', () => {
    const directory = newDirectory();
    openKeyring(directory);
    rotateKeys(directory);
    expect(readdirSync(directory)).toEqual(['keys.json', 'keys.json.lock']);
    for (const name of readdirSync(directory)) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
    expect(statSync(join(directory, 'keys.json.lock')).size).toBe(0);
  });

  it('keeps every earlier key after the new ones', () => {
    const directory = newDirectory();
    openKeyring(directory);
    const before = readKeyFile(directory);
    const rotated = rotateKeys(directory);
    const after = readKeyFile(directory);
    expect(after.signing[0]?.keyId).toBe(rotated.signingKeyId);
    expect(after.fingerprint[0]?.version).toBe(rotated.fingerprintKeyVersion);
    expect(after.signing.slice(1)).toEqual(before.signing);
    expect(after.fingerprint.slice(1)).toEqual(before.fingerprint);
    expect(after.request).toBe(before.request);
  });

  it('is not created by a rotation: without keys there is nothing to rotate', () => {
    const directory = newDirectory();
    expect(() => rotateKeys(directory)).toThrow(/no keys/);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is refused when it holds no keys', () => {
    const directory = newDirectory();
    writeFileSync(join(directory, 'keys.json'), JSON.stringify({ signing: [], fingerprint: [], request: '' }));
    expect(() => openKeyring(directory)).toThrow(/contains no keys/);
  });

  it('gives another process the key that one has just added, as soon as a token names it', () => {
    const directory = newDirectory();
    const keyring = openKeyring(directory);
    const { signingKeyId } = rotateKeys(directory);
    expect(keyring.findSigningKey(signingKeyId)?.keyId).toBe(signingKeyId);
    expect(keyring.findSigningKey('another')).toBeUndefined();
  });
});

describe('sealed text', () => {
  it('can be opened only in its own context, after rotations and in other processes too, and not once a byte has changed', () => {
    const directory = newDirectory();
    const keyring = openKeyring(directory);
    const sealed = keyring.seal('whsec_secret', 'here');
    expect(sealed.includes('whsec')).toBe(false);
    expect(keyring.seal('whsec_secret', 'here').equals(sealed)).toBe(false);
    rotateKeys(directory);
    const other = openKeyring(directory);
    const later = other.seal('whsec_later', 'here');
    expect([other.unseal(sealed, 'here'), keyring.unseal(later, 'here')]).toEqual(['whsec_secret', 'whsec_later']);
    expect(() => keyring.unseal(sealed, 'there')).toThrow();
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => keyring.unseal(changed, 'here')).toThrow();
    }
    expect(() => openKeyring(newDirectory()).unseal(later, 'here')).toThrow(/not in the data directory/);
  });

  it('gets its key in a data directory from before it existed', () => {
    const directory = newDirectory();
    openKeyring(directory);
    const { sealing: _sealing, ...older } = readKeyFile(directory);
    writeFileSync(join(directory, 'keys.json'), JSON.stringify(older));
    const sealed = openKeyring(directory).seal('text', 'here');
    expect(openKeyring(directory).unseal(sealed, 'here')).toBe('text');
    expect(readKeyFile(directory)).toMatchObject(older);
  });
});

describe('the keys', () => {
  /** Every row of every table, as text; bytes are in hexadecimal there. */
  async function dumpDatabase(): Promise<string> {
    const { owner } = service.database;
    const tables = await owner<{ name: string }[]>`
      SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
      WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`;
    expect(tables.length).toBeGreaterThan(5);
    const dumps = tables.map(async ({ name }) => owner.unsafe(`SELECT row::text AS text FROM ${name} AS row`));
    return (await Promise.all(dumps)).flatMap((rows) => rows.map(({ text }) => text)).join('\n');
  }

  function spellings(secret: Buffer): string[] {
    return [secret.toString('hex'), secret.toString('base64').replace(/=+$/, ''), secret.toString('base64url')];
  }

  // Security (Card numbers and keys): The database and the log contain no key
  it('are neither in the database nor in the log, in any encoding', async () => {
    const admin = await signUpAdmin(service);
    const headers = { 'idempotency-key': 'once' };
    const address = { token: admin.token, body: { city: 'London' }, headers };
    expectStatus(await service.call('POST', '/payments/addresses', address), 201);
    await saveCard(service, admin);
    rotateKeys(service.config.dataDirectory);
    expectStatus(await logIn(service, admin), 200);

    const { signing, fingerprint, sealing, request } = readKeyFile(service.config.dataDirectory);
    const privateKeys = signing.map(({ privateKey }) => {
      const der = Buffer.from(privateKey.replace(/-----[A-Z ]+-----|\s/g, ''), 'base64');
      // PKCS#8 wraps the 32 bytes that are the key.
      return [der, der.subarray(-32)];
    });
    const secrets = [...[...fingerprint, ...sealing].map(({ secret }) => secret), request].map((text) =>
      Buffer.from(text, 'base64'),
    );
    for (const secret of secrets) expect(secret).toHaveLength(32);

    const places = [await dumpDatabase(), service.logs()];
    expect(places[0]).toContain(admin.email);
    for (const secret of [...privateKeys.flat(), ...secrets]) {
      for (const spelling of spellings(secret)) {
        for (const place of places) expect(place.includes(spelling)).toBe(false);
      }
    }
    expect(places.join()).not.toContain('PRIVATE KEY');
  });
});
