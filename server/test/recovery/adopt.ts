/** A database that went back, with its journal: passes that find what it lacks, and the requests of the operator who brings it together. */
import { makePass } from '../../src/recovery/marks/pass.ts';
import { expectStatus } from '../customers/actors.ts';
import type { Answer } from '../harness/request.ts';
import type { TestService } from '../harness/service.ts';
import { backUp } from '../payments/restore.ts';
import { holdCharges } from './hold.ts';

export type ListedCase = {
  id: string;
  source: string;
  kind: string;
  gatewayObjectId: string | null;
  companyId: string | null;
  invoiceId: string | null;
  number: string | null;
  amount: string | null;
  currency: string | null;
  state: string;
  plan: string | null;
  note: string | null;
  acknowledgedAt: string | null;
};

/**
 * Backs the database up. `goBack` restores it, does something before anybody notices, holds charges, and compares the database with its
 * journal and the gateways.
 */
export async function prepareToGoBack(
  service: TestService,
): Promise<{ goBack: (meanwhile?: () => Promise<unknown>) => Promise<void> }> {
  const { restore } = await backUp(service.database.owner);
  return {
    goBack: async (meanwhile = async () => undefined) => {
      await restore();
      await meanwhile();
      await holdCharges(service);
      await service.chargesHold.refresh();
      await compareNow(service);
    },
  };
}

/** Makes a pass, as the watcher of a hold does. @returns how many cases are open */
export async function compareNow({ config, database, gateways, journal, server }: TestService): Promise<number> {
  if (journal === null) throw new Error('The service keeps no journal.');
  const { gatewayLagSeconds } = config;
  return (await makePass({ db: database.db, gateways, journal, gatewayLagSeconds, logger: server.log })).found;
}

/** Asks for cases to be dealt with. */
export function adopt(service: TestService, body: object = {}): Promise<Answer> {
  return service.call('POST', '/operator/recovery/adopt', { token: service.operatorKey, body });
}

/** Lists the cases of a company, or all, in the order in which they happened. */
export async function listCases(
  service: Pick<TestService, 'call' | 'operatorKey'>,
  companyId?: string,
  query = '',
): Promise<ListedCase[]> {
  const path = `/operator/recovery/cases?perPage=1000${query}`;
  const { body } = expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200);
  return body.data.filter((one: ListedCase) => companyId === undefined || one.companyId === companyId);
}
