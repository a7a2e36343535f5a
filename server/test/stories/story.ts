/**
 * A small language for billing stories. It sends everything over HTTP to a real service; only the clock is set by the story. Instants are
 * written as `2026-02-14T09:30Z`; a date alone is noon of that day in UTC.
 */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { advanceDueRuns } from '../../src/billing/runs/pass/passes.ts';
import { runMonth, setBilling } from '../billing/billing.ts';
import { grantCredit } from '../billing/credits.ts';
import { credit, voidInvoice } from '../billing/invoice-documents.ts';
import { workOff } from '../billing/schedule.ts';
import { reportUsage, usageEvent } from '../billing/usage.ts';
import { type Actor, expectStatus, saveCard, signUpAdmin } from '../customers/actors.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { numberOf, readTable, writeCreditNote, writeInvoice } from './invoice-table.ts';

export type Story = {
  service: TestService;
  /** Moves the clock to then, never back. */
  on: (instant: string) => void;
  /** Moves the clock to then, and runs what the schedule has to run by that time. */
  goesBy: (instant: string) => Promise<void>;
  operator: Operator;
  /** Signs up a company with a card and these billing settings. */
  signsUp: (organization: string, settings?: object) => Promise<Company>;
  end: () => Promise<void>;
};

export type Operator = ReturnType<typeof operatorOf>;
export type Company = ReturnType<typeof companyOf>;

/** Usage of a company: the path, the quantity and the time. */
export type Use = readonly [path: string, quantity: number, instant: string];

type World = { service: TestService; on: (instant: string) => void };

/** Begins a story on a new service, at an instant. */
export async function beginStory(instant: string): Promise<Story> {
  let now = readInstant(instant);
  const service = await startTestService({ clock: () => now });
  const on = (later: string) => {
    const then = readInstant(later);
    if (then > now) now = then;
  };
  const world = { service, on };
  return {
    ...world,
    goesBy: async (later) => {
      on(later);
      await advanceDueRuns(service.database.db, now);
      await workOff(service);
    },
    operator: operatorOf(world),
    signsUp: async (organization, settings = {}) => {
      const actor = await signUpAdmin(service);
      const company = companyOf(world, actor);
      await company.writesBillingInformation({ organization });
      await setBilling(service, actor, settings);
      await saveCard(service, actor);
      return company;
    },
    end: service.stop,
  };
}

function readInstant(text: string): Date {
  return new Date(text.includes('T') ? text : `${text}T12:00Z`);
}

/** The operator's actions. */
function operatorOf({ service, on }: World) {
  return {
    /** Sets a price, general or for one company, from an instant on. */
    prices: (path: string, effectiveFrom: string, price: object) =>
      post(service, '/operator/prices', { path, effectiveFrom, ...price }),
    changesBillingOf: (company: Company, settings: object) => setBilling(service, company, settings),
    /**
     * Bills a month at noon of the second day after it: by then the month has been over everywhere for at least a day.
     */
    bills: async (month: string) => {
      const [year = 0, index = 0] = month.split('-').map(Number);
      on(new Date(Date.UTC(year, index, 2, 12)).toISOString());
      return runMonth(service, month);
    },
    grantsCredit: (company: Company, amount: string, currency: string, reason: string) =>
      grantCredit(service, company.companyId, { amount, currency, reason }),
    /** Issues an invoice by hand. */
    invoices: (company: Company, invoice: object) =>
      post(service, '/operator/invoices', { companyId: company.companyId, ...invoice }),
    voids: async (company: Company, number: string) => voidInvoice(service, (await company.invoice(number)).id),
    credits: async (company: Company, number: string, note: object, headers = {}) =>
      credit(service, (await company.invoice(number)).id, note, headers),
    /** Computes an invoice again from the data that it was made of. */
    recomputes: async (company: Company, number: string) => {
      const path = `/operator/invoices/${(await company.invoice(number)).id}/recompute`;
      return service.call('POST', path, { token: service.operatorKey });
    },
    /** Returns a company's upcoming invoice as the operator sees it. */
    draftOf: async ({ companyId }: Company) =>
      get(service, `/operator/companies/${companyId}/upcoming-invoice`, service.operatorKey),
  };
}

/** A company's actions, with its admin's token. The operator's gateways report its usage. */
function companyOf({ service, on }: World, actor: Actor) {
  const { token, companyId } = actor;
  const read = (path: string) => get(service, path, token);
  /** Returns one of its invoices, with its latest payment. */
  const invoice = async (number: string) => {
    const { data } = await read(`/payments/orders?receipt=${number}`);
    expect(data.map((found: { number: string }) => found.number)).toEqual([number]);
    return data[0];
  };
  return {
    ...actor,
    read,
    invoice,
    /** Reports usage when it happens, or later if its time has passed. @returns the result of each event */
    uses: async (...use: Use) => {
      on(use[2]);
      return (await reportUsage(service, [eventOf(companyId, use)])).results[0];
    },
    writesBillingInformation: async (body: object) => {
      expectStatus(await service.call('PUT', '/payments/billing-information', { token, body }), 200);
    },
    /** Returns the usage of a path in [from, to), as the company can look it up. */
    usageOf: async (path: string, from: string, to: string, timezone = 'UTC') => {
      const query = new URLSearchParams({ path, from, to, timezone, granularity: 'month', perPage: '1000' });
      const { data } = await read(`/payments/usage?${query}`);
      return data.reduce((sum: number, { quantity }: { quantity: string }) => sum + Number(quantity), 0);
    },
    /** Expects that the invoice with the number at the beginning of the table equals the table. */
    isInvoiced: async (table: string) => {
      expect(writeInvoice(await invoice(numberOf(table)))).toBe(readTable(table));
    },
    /** Expects that the upcoming invoice equals the table. */
    expects: async (table: string) => {
      expect(writeInvoice(await read('/payments/upcoming-invoice'))).toBe(readTable(table));
    },
    isCredited: async (number: string, table: string) => {
      const { data } = await read(`/payments/orders/${(await invoice(number)).id}/credit-notes`);
      const note = data.find((one: { number: string }) => one.number === numberOf(table));
      expect(writeCreditNote(note)).toBe(readTable(table));
    },
    /** Returns the numbers of its invoices in the order in which they were issued. */
    numbers: async (): Promise<string[]> => {
      const { data } = await read('/payments/orders?perPage=1000');
      return data.map((one: { number: string }) => one.number).toSorted();
    },
    /** Returns the number of its newest invoice. */
    lastNumber: async (): Promise<string> => {
      const { data } = await read('/payments/orders?perPage=1000');
      return data
        .map((one: { number: string }) => one.number)
        .toSorted()
        .at(-1);
    },
    attemptsToPay: async (number: string) =>
      service.call('PUT', `/payments/orders/${(await invoice(number)).id}/pay`, { token }),
    pays: (number: string, how: { card: string; credit: string; creditLeft: string }) =>
      expectPayment(service, actor, number, how),
  };
}

/** Pays, and expects on the payment and the invoice what the card and the credit paid. */
async function expectPayment(
  service: TestService,
  { token }: Actor,
  number: string,
  how: { card: string; credit: string; creditLeft: string },
): Promise<void> {
  const list = `/payments/orders?receipt=${number}`;
  const [{ id }] = (await get(service, list, token)).data;
  const paid = expectStatus(await service.call('PUT', `/payments/orders/${id}/pay`, { token }), 200).body;
  const [{ payment, status }] = (await get(service, list, token)).data;
  const { inStoreCredit } = await get(service, '/payments/billing-information', token);
  expect([status, payment.status]).toEqual(['Succeeded', 'Succeeded']);
  expect({ card: payment.amount, credit: payment.creditAmount, creditLeft: inStoreCredit.toFixed(2) }).toEqual(how);
  expect(paid.metadata?.creditAmount ?? '0.00').toBe(how.credit);
}

/** Builds a usage event with a new id. */
export function eventOf(companyId: string, [path, quantity, instant]: Use) {
  return usageEvent(companyId, {
    id: randomUUID(),
    time: readInstant(instant).toISOString(),
    data: { path, quantity },
  });
}

async function get(service: TestService, path: string, token: string) {
  return expectStatus(await service.call('GET', path, { token }), 200).body;
}

async function post(service: TestService, path: string, body: object) {
  return expectStatus(await service.call('POST', path, { token: service.operatorKey, body }), 201).body;
}
