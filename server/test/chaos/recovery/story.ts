/** What the people of a run know: their companies, what they asked for, and what they were told. */

import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { invoiceBody } from '../../customers/actors.ts';
import { createRandom, type Random } from '../chaos.ts';
import type { Seen } from '../processes.ts';
import { api, type Charge, pay, prepareCharge, prepareInvoice, raise, recover, type World } from '../world.ts';
import type { Plan } from './plan.ts';
import { putCompany } from './products/put.ts';

export type Party = { token: string; companyId: string };

/** The companies that wait; `first` and `second`: of what is left waiting, at the backup and when it goes back. */
export type WaitingParties = Record<'asked' | 'debtor' | 'bouncer', Party> & Record<'first' | 'second', Party | null>;

/** A request of the operator that was answered, to be sent once more with its key. */
export type Sent = { path: string; body: object; key: string; answer: Seen };

/** A payment of which something can be refunded. */
export type Paid = Charge & { paymentId: string; leftMinor: bigint };

/** A company of a product, its first charge, and usage that is reported by its external id. */
export type OfProduct = { externalId: string; charge: Charge; event: object };

export type Story = {
  world: World;
  plan: Plan;
  random: Random;
  /** A company whose card or account pays. */
  buyer: Party;
  /** A company whose card or account is declined. */
  poor: Party;
  /** A company of which a charge is not over when the database goes back. */
  hasty: Party;
  /** Companies whose bank asks the customer, or that pay by direct debit; null where nobody waits. */
  waits: WaitingParties | null;
  /** Companies that sign up after the backup. */
  late: Charge[];
  /** Companies that a product creates after the backup. */
  ofProduct: OfProduct[];
  /** Invoices that were open when the backup was taken, and nobody has dealt with since. */
  open: Charge[];
  paid: Paid[];
  voided: string[];
  sent: Sent[];
  /** The document that each number names, as somebody was told. */
  documents: Map<string, string>;
  /** Usage that was reported since the backup. */
  usage: object[];
};

const OPEN_INVOICES = 4;
const MOST_TRIES = 30;
const RETRY_MS = 100;

/** Begins a story: three companies, a paid invoice of each that can pay, and some open ones. */
export async function beginStory(world: World, plan: Plan): Promise<Story> {
  const [first, second, third] = [
    await prepareCharge(world, 'pays', () => putCompany(world, randomBytes(4).toString('hex'))),
    await prepareCharge(world, 'refuses'),
    await prepareCharge(world),
  ];
  const story: Story = {
    ...{ world, plan, random: createRandom(plan.seed + 1), buyer: first, poor: second, hasty: third },
    ...{
      waits: null,
      late: [],
      ofProduct: [],
      open: [],
      paid: [],
      voided: [],
      sent: [],
      documents: new Map(),
      usage: [],
    },
  };
  for (let count = 0; count < OPEN_INVOICES; count += 1) story.open.push(await prepareInvoice(world, first));
  await settle(story, first);
  await settle(story, third);
  return story;
}

/** Sends a request of the operator with a key, again and again until it has an answer that ends it. It is known for ever. */
export async function request(story: Story, path: string, body: object): Promise<Seen['body']> {
  const sent = { path, body, key: randomUUID() };
  const answer = await order(story, sent);
  story.sent.push({ ...sent, answer });
  const { id, number } = answer.body;
  if (typeof number === 'string') remember(story, number, id);
  return answer.body;
}

/** The same of a request that a restore may forget. */
export async function order(story: Story, given: Pick<Sent, 'path' | 'body'> & { key?: string }): Promise<Seen> {
  const answer = await send(story, { key: randomUUID(), ...given });
  if (answer.status >= 300) raise(`${given.path} was answered with ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}

/** Somebody is told the number of a document. @throws Error when they were told that it is another one's (R4) */
export function remember({ documents }: Story, number: string, id: string): void {
  const known = documents.get(number) ?? id;
  if (known !== id) raise(`R4 ${number} named ${known}, and now ${id}`);
  documents.set(number, id);
}

/** The same once, with its key. Whoever gets no answer, or is told to wait, sends it again. */
export async function send({ world }: Story, { path, body, key }: Omit<Sent, 'answer'>): Promise<Seen> {
  for (let tries = 0; ; tries += 1) {
    const options = { token: world.operatorKey, body, headers: { 'idempotency-key': key } };
    const answer = await api(world).send('POST', path, options);
    const isOver = answer.status > 0 && answer.status < 500 && answer.body?.error?.code !== 'idempotency_key_in_use';
    if (isOver || tries === MOST_TRIES) return answer;
    await world.owner`UPDATE idempotency_keys SET locked_until = now() WHERE key = ${key} AND status IS NULL`;
    await sleep(RETRY_MS);
  }
}

/** Issues an invoice by hand. Its reference is known for ever. */
export async function issue(story: Story, { token, companyId }: Party, changes: object = {}): Promise<Charge> {
  const all = { reference: randomUUID(), ...story.world.adapter.invoiceChanges, ...changes };
  const { id } = await request(story, '/operator/invoices', invoiceBody(companyId, all));
  return { token, companyId, invoiceId: id };
}

/** Pays an invoice, as often as it takes, until it is paid or declined. @returns the status of the last answer */
export async function settle(story: Story, charge: Charge, leftMinor = 4_800n): Promise<number> {
  const { world } = story;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const answer = await pay(world, api(world), charge);
    await recover(world, charge);
    if (answer.status === 200) story.paid.push({ ...charge, paymentId: answer.body.paymentId, leftMinor });
    if (answer.status === 200 || answer.status === 402) return answer.status;
  }
  return raise('the pays come to no end');
}

/** The same of one that has to be paid. */
export async function settlePaid(story: Story, charge: Charge, leftMinor?: bigint): Promise<void> {
  const status = await settle(story, charge, leftMinor);
  if (status !== 200) raise(`a pay was answered with ${status}`);
}
