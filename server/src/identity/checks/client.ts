import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { clientNetwork } from '../../platform/http/limits/client-network.ts';
import { type Actor, actorOf } from '../../platform/http/route/actor.ts';
import { readCookie } from '../../platform/http/route/credentials.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { readUsedFrom, type UsedFrom } from '../sessions/used-from.ts';
import { emailKey } from '../users/users.public.queries.ts';

/**
 * The client of a login: where it comes from, its network, its device if the account has logged in with it before, and how the audit log
 * names it while the user is unknown.
 */
export type Client = { network: string; device: Device | null; usedFrom: UsedFrom; actor: Actor };

/** A browser that has logged in, with the epoch of the user's credentials then: it is known until they change. */
export type Device = { name: string; epoch: number };

const COOKIE = 'paydesk_device';
const LIFETIME_SECONDS = 90 * 24 * 60 * 60;

/**
 * The client of a request about an account. A device cookie that has expired or belongs to another account is ignored.
 */
export function describeClient(keyring: Keyring, request: FastifyRequest, email: string): Client {
  const cookie = readCookie(request, COOKIE);
  const device = cookie === null ? null : verifyDevice(keyring, cookie, email);
  return { network: clientNetwork(request.ip), device, usedFrom: readUsedFrom(request), actor: actorOf(request) };
}

/**
 * A cookie by which the account knows this browser for 90 days, until its credentials change, so that failures of strangers do not lock it
 * out (OWASP, "Device cookies"). It does not log anybody in. Renewing it keeps the device's name.
 */
export function deviceCookie(
  keyring: Keyring,
  { device }: Client,
  { email, credentialEpoch: epoch }: { email: string; credentialEpoch: number },
  isSecure: boolean,
): string {
  const name = device?.epoch === epoch ? device.name : randomBytes(16).toString('base64url');
  const expires = Math.floor(Date.now() / 1000) + LIFETIME_SECONDS;
  const text = `${name}.${expires}.${epoch}`;
  const value = `${text}.${sign(keyring, text, email).toString('base64url')}`;
  const attributes = `Path=/auth; Max-Age=${LIFETIME_SECONDS}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  return `${COOKIE}=${value}; ${attributes}`;
}

/** The device that the cookie names; null when the cookie is not valid for this account. */
function verifyDevice(keyring: Keyring, cookie: string, email: string): Device | null {
  const [name = '', expires = '', epoch = '', signature = ''] = cookie.split('.');
  const expected = sign(keyring, `${name}.${expires}.${epoch}`, email);
  const given = Buffer.from(signature, 'base64url');
  const isGenuine = given.length === expected.length && timingSafeEqual(given, expected);
  return isGenuine && Number(expires) * 1000 > Date.now() ? { name, epoch: Number(epoch) } : null;
}

function sign(keyring: Keyring, text: string, email: string): Buffer {
  return keyring.hashRequest(`device ${text} ${emailKey(email)}`);
}
