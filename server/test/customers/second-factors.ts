/** Helpers of the tests of second factors. */
import { timeStepOf, totpCode } from '../../src/identity/second-factor/totp.ts';
import type { Answer } from '../harness/request.ts';
import type { TestService } from '../harness/service.ts';
import { type Actor, expectStatus, PASSWORD } from './actors.ts';
import { type Deviation, type DevicePasskey, makePasskey, usePasskey } from './authenticator.ts';

/** A clock that tests set. A code of an authenticator app counts once, so each login takes another time step. */
export function createClock() {
  let nowMs = Date.now();
  return {
    clock: () => new Date(nowMs),
    /** Goes on by whole time steps. */
    goOn: (steps: number) => {
      nowMs += steps * 30_000;
    },
  };
}
export type TestClock = ReturnType<typeof createClock>;

/** An authenticator app. */
export type App = {
  /** The code that it shows, now or some time steps later. */
  code: (laterSteps?: number) => string;
};

/** Opens an app with the secret that `POST /auth/totp` has answered. */
export function openApp(secret: string, { clock }: TestClock): App {
  const bytes = fromBase32(secret);
  return { code: (laterSteps = 0) => totpCode(bytes, timeStepOf(clock()) + laterSteps) };
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Begins TOTP. @returns the app with its secret, and the answer */
export async function beginTotp(service: TestService, clock: TestClock, { token }: Actor) {
  const { data } = expectStatus(
    await service.call('POST', '/auth/totp', { token, body: { password: PASSWORD } }),
    200,
  ).body;
  return { app: openApp(data.secret, clock), data };
}

/** Turns TOTP on, and goes on to the next time step, whose code is unused. @returns the app and the recovery codes */
export async function enableTotp(service: TestService, clock: TestClock, actor: Actor) {
  const { app } = await beginTotp(service, clock, actor);
  const answer = await service.call('POST', '/auth/totp/confirm', { token: actor.token, body: { code: app.code() } });
  const recoveryCodes: string[] = expectStatus(answer, 200).body.data.recovery_codes;
  clock.goOn(1);
  return { app, recoveryCodes };
}

/** Gets the options of a new passkey. */
export async function beginPasskey(service: TestService, { token }: Actor, password = PASSWORD) {
  const answer = await service.call('POST', '/auth/passkeys/options', { token, body: { password } });
  return expectStatus(answer, 200).body.data;
}

/** Registers a passkey. @returns it as on the device, and the answer's data */
export async function registerPasskey(
  service: TestService,
  actor: Actor,
  { name = 'Phone', deviation = {}, password }: { name?: string; deviation?: Deviation; password?: string } = {},
): Promise<{ device: DevicePasskey; data: { id: string; recovery_codes: string[] | null } }> {
  const { device, passkey } = makePasskey(originOf(service), await beginPasskey(service, actor, password), deviation);
  const answer = await service.call('POST', '/auth/passkeys', { token: actor.token, body: { name, passkey } });
  return { device, data: expectStatus(answer, 201).body.data };
}

/** The origin of the service as browsers know it. */
export function originOf({ config }: TestService): string {
  return new URL(config.publicUrl).origin;
}

/** Logs in by the password. @returns what the second step needs */
export async function beginLogin(service: TestService, { email }: Pick<Actor, 'email'>, password = PASSWORD) {
  const answer = await service.call('POST', '/auth/local', { body: { email, password } });
  return expectStatus(answer, 200).body.data.second_factor;
}

/** Sends the second step of a login. */
export function finishLogin(service: TestService, token: string, shown: object, query = ''): Promise<Answer> {
  return service.call('POST', `/auth/local/second-factor${query}`, { body: { token, ...shown } });
}

/** Logs in by a passkey. */
export async function logInByPasskey(
  service: TestService,
  device: DevicePasskey,
  { deviation = {}, query = '' }: { deviation?: Deviation; query?: string } = {},
): Promise<Answer> {
  const options = await beginPasskeyLogin(service);
  const passkey = usePasskey(originOf(service), device, options, deviation);
  return service.call('POST', `/auth/passkeys/login${query}`, { body: { passkey } });
}

/** Gets the options of a login by passkey. */
export async function beginPasskeyLogin(service: TestService) {
  return expectStatus(await service.call('POST', '/auth/passkeys/login/options'), 200).body.data;
}

/** Makes the company of a user demand a second factor of its members, or not. */
export async function demandSecondFactor(service: TestService, { companyId }: Actor, isDemanded = true): Promise<void> {
  await service.database.owner`UPDATE companies SET require_second_factor = ${isDemanded} WHERE id = ${companyId}`;
}
