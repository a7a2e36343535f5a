import { validate as isUuid } from 'uuid';
import { selectInstallation } from '../../continuity/journal/journal.service.ts';
import { type GatewayObject, listObjects } from '../../gateways/gateway/gateway.objects.ts';
import type { Gateway } from '../../gateways/gateway/gateway.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import { selectMissingPayments, selectMissingRefunds } from './compare.worker.queries.ts';

/** A payment or refund that a gateway has made for this database, and that the database lacks. */
export type MissingObject = {
  gateway: string;
  /** The nil UUID where the object does not say it. */
  companyId: string;
  /** Our payment's or refund's id, which is its mark. */
  reference: string;
  object: GatewayObject;
};

type Comparison = { db: Queryable; gateways: { configured: readonly Gateway[] } };

const OBJECTS_A_BATCH = 100;

/**
 * Finds what the gateways have made for this database since an instant and the database lacks, batch by batch. It changes nothing. The
 * database is asked after the gateway: whatever the gateway has was written here before.
 * @throws GatewayError when a gateway can't be asked
 */
export async function* findMissingObjects(
  { db, gateways }: Comparison,
  { since, signal }: { since: Date; signal?: AbortSignal | undefined },
): AsyncGenerator<MissingObject[], void, undefined> {
  const installation = await selectInstallation(db);
  for (const gateway of gateways.configured) {
    for await (const batch of readBatches(gateway, since)) {
      if (signal?.aborted) return;
      const missing = await keepMissing(
        db,
        gateway,
        batch.flatMap((object) => ofInstallation(object, installation)),
      );
      if (missing.length > 0) yield missing;
    }
  }
}

/** Payments and refunds are never in one batch: a refund may need the payment to be found before. */
async function* readBatches(gateway: Gateway, since: Date): AsyncGenerator<GatewayObject[], void, undefined> {
  let batch: GatewayObject[] = [];
  for await (const object of listObjects(gateway, since)) {
    if (batch.length === OBJECTS_A_BATCH || (batch.length > 0 && batch[0]?.kind !== object.kind)) {
      yield batch;
      batch = [];
    }
    batch.push(object);
  }
  if (batch.length > 0) yield batch;
}

type OwnObject = Omit<MissingObject, 'gateway'>;

/** Whether Paydesk made it for this database. An object without room for the installation says nothing about it. */
function ofInstallation(object: GatewayObject, installation: string): OwnObject[] {
  const { reference, details } = object;
  if (reference === null || !isUuid(reference) || (details.installation ?? installation) !== installation) return [];
  return [{ reference, companyId: companyOf(object), object }];
}

/** The company that the name of a debt begins with: `usage:<company>:…` or `ref:<company>:…`. */
function companyOf(object: GatewayObject): string {
  const [, company = ''] = (object.kind === 'payment' ? (object.debt ?? '') : '').split(':');
  return isUuid(company) ? company : OPERATOR_SCOPE;
}

async function keepMissing(
  db: Queryable,
  { name: gateway }: Gateway,
  objects: readonly OwnObject[],
): Promise<MissingObject[]> {
  const [first] = objects;
  if (first === undefined) return [];
  const ids = objects.map(({ companyId, reference, object }) => ({
    ...{ companyId, reference, objectId: object.id },
    ...(object.kind === 'refund'
      ? { paymentId: object.gatewayPaymentId, names: object.details.installation ?? null }
      : { status: object.status }),
  }));
  const select = first.object.kind === 'payment' ? selectMissingPayments : selectMissingRefunds;
  const missing = new Map((await select(db, gateway, ids)).map(({ objectId, companyId }) => [objectId, companyId]));
  return objects.flatMap((one) => {
    const companyId = missing.get(one.object.id);
    return companyId === undefined ? [] : [{ ...one, gateway, companyId }];
  });
}
