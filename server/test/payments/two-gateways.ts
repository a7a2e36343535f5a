/** What the tests of two gateways share: a service whose cards are at the sandbox or at another gateway that can be stopped. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Fault } from '../../src/gateways/sandbox/bank/bank.schema.ts';
import { createSandboxControl, type SandboxControl } from '../../src/gateways/sandbox/sandbox.control.ts';
import { createSandboxGateway } from '../../src/gateways/sandbox/sandbox.gateway.ts';
import { startSandboxGateway } from '../../src/gateways/sandbox/server/server.ts';
import { type Actor, CARDS, issueInvoice, saveCard, signUpAdmin } from '../customers/actors.ts';
import { freePort, keepPort } from '../harness/network/kept-port.ts';
import { type Payable, prepareInvoice } from './charge.ts';
import { type CollectionService, type Debtor, startCollectionService } from './collection.ts';

export type GatewayName = 'sandbox' | 'other';

export type TwoGateways = CollectionService & {
  /** Controls the other gateway. */
  other: SandboxControl;
  /** Stops the other gateway's process while `work` runs. */
  whileOtherIsAway: (work: () => Promise<unknown>) => Promise<void>;
  /** Saves a default card, and moves it to the other gateway, as if that gateway had been the one for new cards. */
  saveOtherCard: (admin: Actor, cardNumber?: string) => Promise<void>;
  /** Creates a company with such a card, and an invoice of 48.00 USD. */
  prepareOtherDebtor: (cardNumber?: string) => Promise<Debtor>;
  /** Creates a company with a card at this gateway, and an invoice of 48.00 USD to pay. */
  preparePayableAt: (gateway: GatewayName) => Promise<Payable>;
  /** Injects a fault at this gateway. */
  armFaultAt: (gateway: GatewayName, fault: Fault) => Promise<void>;
};

/**
 * Starts a service with two gateways: `sandbox`, which takes new cards, and `other`. Its `sandbox` reads the books of both. @param
 * otherTimeoutMs - the time limit of calls to the other one
 */
export async function startTwoGateways({ otherTimeoutMs = 10_000 } = {}): Promise<TwoGateways> {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-other-gateway-'));
  const secret = randomBytes(24).toString('base64url');
  const start = (port: number) =>
    startSandboxGateway({ ledgerPath: join(folder, 'ledger.db'), host: '127.0.0.1', port, secret });
  let server = await start(0);
  const { port, url: baseUrl } = server;
  const gateway = { ...createSandboxGateway({ baseUrl, secret, timeoutMs: otherTimeoutMs }), name: 'other' };
  const other = createSandboxControl({ baseUrl, secret });
  const service = await startCollectionService({ chooseGateways: (sandbox) => [sandbox, gateway] });
  const saveOtherCard = async (admin: Actor, number: string = CARDS.visa) => {
    await saveCard(service, admin, { isDefault: true });
    const holder = { companyId: admin.companyId, customer: null };
    const expiry = { expMonth: 12, expYear: 2035 };
    const { token } = await gateway.tokenizeCard({
      number,
      securityCode: '123',
      ...expiry,
      name: 'Ada',
      country: 'GB',
      holder,
    });
    await service.database.owner`
      UPDATE cards SET gateway = 'other', gateway_token = ${token} WHERE company_id = ${admin.companyId}`;
  };
  return {
    ...service,
    other,
    sandbox: bothOf(service.sandbox, other),
    whileOtherIsAway: async (work) => {
      await server.close();
      await keepPort(port);
      try {
        await work();
      } finally {
        server = await start(port);
        freePort(port);
      }
    },
    saveOtherCard,
    prepareOtherDebtor: async (cardNumber) => {
      const admin = await signUpAdmin(service);
      await saveOtherCard(admin, cardNumber);
      return { admin, invoiceId: (await issueInvoice(service, admin.companyId)).id };
    },
    preparePayableAt: async (name) => {
      const admin = await signUpAdmin(service);
      if (name === 'other') await saveOtherCard(admin);
      else await saveCard(service, admin);
      return prepareInvoice(service, admin);
    },
    armFaultAt: (name, fault) => (name === 'other' ? other : service.sandbox).armFault(fault),
    stop: async () => {
      await service.stop();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Combines the ledgers of both gateways, and clears the faults and ends the delays of both. */
function bothOf(sandbox: SandboxControl, other: SandboxControl): SandboxControl {
  return {
    ...sandbox,
    clearFaults: async () => {
      await Promise.all([sandbox.clearFaults(), other.clearFaults()]);
    },
    endDelays: async () => {
      await Promise.all([sandbox.endDelays(), other.endDelays()]);
    },
    readLedger: async () => {
      const [first, second] = await Promise.all([sandbox.readLedger(), other.readLedger()]);
      return {
        cards: [...first.cards, ...second.cards],
        accounts: [...first.accounts, ...second.accounts],
        payments: [...first.payments, ...second.payments],
        captures: [...first.captures, ...second.captures],
        refunds: [...first.refunds, ...second.refunds],
      };
    },
  };
}
