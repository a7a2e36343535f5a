import { v7 as uuidv7 } from 'uuid';
import type { Part, Queryable, Tx } from '../platform/database/database.ts';
import { alertEvents } from './alerts.events.ts';
import { alertJson } from './alerts.parts.queries.ts';
import type { AlertedPayment, NewAlert } from './alerts.schema.ts';

/** Inserts an alert and its event for the operator. @returns its id */
export async function insertAlert(db: Queryable, companyId: string, alert: NewAlert): Promise<string> {
  const id = uuidv7();
  await insertUnless(db, companyId, { id, ...alert }, db`false`);
  return id;
}

/**
 * Inserts an alert unless the company has one of its kind from the last `recentSeconds`. @returns whether it was
 * inserted
 */
export async function insertAlertUnlessRecent(
  db: Queryable,
  companyId: string,
  alert: NewAlert,
  recentSeconds: number,
): Promise<boolean> {
  return insertUnless(
    db,
    companyId,
    { id: uuidv7(), ...alert },
    db`created_at > now() - make_interval(secs => ${recentSeconds})`,
  );
}

/** Inserts an alert unless the payment, which the caller has locked, has one of its kind. @returns whether it was inserted */
export async function insertAlertOnce(
  tx: Tx,
  companyId: string,
  alert: NewAlert & { payment: AlertedPayment },
): Promise<boolean> {
  return insertUnless(tx, companyId, { id: uuidv7(), ...alert }, tx`payment_id = ${alert.payment.id}`);
}

/** Inserts an alert unless the company has one of its kind that nobody has acknowledged. @returns whether it was inserted */
export async function insertAlertUnlessOpen(db: Queryable, companyId: string, alert: NewAlert): Promise<boolean> {
  return insertUnless(db, companyId, { id: uuidv7(), ...alert }, db`acknowledged_at IS NULL`);
}

/** Adds a sentence to the last alert of this kind, which the company has. */
export async function appendToLastAlert(
  db: Queryable,
  companyId: string,
  { kind, sentence }: Pick<NewAlert, 'kind'> & { sentence: string },
): Promise<void> {
  await db`
    UPDATE alerts SET message = message || ${` ${sentence}`}
    WHERE company_id = ${companyId}
      AND id = (SELECT id FROM alerts WHERE company_id = ${companyId} AND kind = ${kind} ORDER BY id DESC LIMIT 1)`;
}

/** `isRaised` is a condition on a row of `alerts`. */
async function insertUnless(
  db: Queryable,
  companyId: string,
  { id, kind, payment, message }: NewAlert & { id: string },
  isRaised: Part,
): Promise<boolean> {
  const rows = await db`
    WITH alerts AS (
      INSERT INTO alerts (company_id, id, kind, payment_id, payment_invoice_id, message)
      SELECT ${companyId}, ${id}, ${kind}, ${payment?.id ?? null}::uuid, ${payment?.invoiceId ?? null}::uuid, ${message}
      WHERE NOT EXISTS (SELECT 1 FROM alerts WHERE company_id = ${companyId} AND kind = ${kind} AND ${isRaised})
      RETURNING *
    ), changes AS (
      SELECT company_id, id, 'alert.created' AS type, ${alertJson(db)} AS data FROM alerts
    ), ${alertEvents.recordingParts(db, 'alert.created')}
    SELECT 1 FROM alerts`;
  return rows.length === 1;
}
