/** Holds charges by the database, as another process does: the service knows it from its transactions, or once it has read it. */
import { openChargesHold } from '../../src/continuity/hold/charges-hold.service.ts';
import { openKeyring } from '../../src/platform/keys/keys.ts';
import {
  beginHold,
  endHold,
  type HoldDependencies,
  type MailsOfHold,
  readHold,
} from '../../src/recovery/hold/hold.service.ts';
import type { TestService } from '../harness/service.ts';

/** What writing the mails of a hold needs. */
export function mailsOf({ config }: TestService): MailsOfHold {
  return { mails: { keyring: openKeyring(config.dataDirectory), config } };
}

/** Another process on the service's database. */
export function otherProcess(service: TestService): HoldDependencies & MailsOfHold {
  const { db } = service.database;
  return { ...mailsOf(service), db, chargesHold: openChargesHold({ charges: 'on' }, db, new Date()) };
}

/** Begins a hold. The service's process has not read it yet. */
export async function holdCharges(service: TestService, reason = 'The database lacks a payment.'): Promise<void> {
  await beginHold(otherProcess(service), reason);
}

/** Ends the hold, if there is one, whatever it has found, and lets the service's process know. */
export async function releaseCharges(service: TestService): Promise<void> {
  const hold = await readHold(service.database.db);
  if (hold !== null) await endHold(otherProcess(service), hold.id, async () => true);
  await service.chargesHold.refresh();
}
