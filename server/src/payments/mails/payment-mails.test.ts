import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grantCredit } from '../../../test/billing/credits.ts';
import { CARDS, expectStatus, issueInvoice, saveCard, signUpAdmin } from '../../../test/customers/actors.ts';
import { listMails, mailAbout, mailsAbout, readMail } from '../../../test/mail/money-mails.ts';
import {
  type CollectionService,
  collectAfterDays,
  prepareDebtor,
  readDebt,
  startCollectionService,
} from '../../../test/payments/collection.ts';
import { mailExpiring } from './payment-mails.feature.ts';

let service: CollectionService;
beforeAll(async () => {
  service = await startCollectionService();
});
afterAll(async () => service?.stop());

const dayOf = (instant: string) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(instant));
const pay = (invoiceId: string, token: string) => service.call('PUT', `/payments/orders/${invoiceId}/pay`, { token });

describe('a receipt', () => {
  it('goes out for a payment by card, with what is still due', async () => {
    const { admin, invoiceId } = await prepareDebtor(service, { cardNumber: CARDS.visa });
    expectStatus(await pay(invoiceId, admin.token), 200);
    const mail = await mailAbout(service, invoiceId, 'receipt');
    expect(mail.to).toEqual([admin.email]);
    expect(mail.text).toMatch(/Payment method: Visa •••• 4242\nAmount paid: \$48\.00\nStill due: \$0\.00/);
    expect(mail.text).toContain('is paid in full');
    expectStatus(await pay(invoiceId, admin.token), 200);
    expect(await mailsAbout(service, invoiceId, 'receipt')).toHaveLength(1);
  });

  it('goes out for a payment by credit alone', async () => {
    const admin = await signUpAdmin(service);
    await grantCredit(service, admin.companyId, { amount: '48.00' });
    const { id } = await issueInvoice(service, admin.companyId);
    expectStatus(await pay(id, admin.token), 200);
    const { text } = await mailAbout(service, id, 'receipt');
    expect(text).toContain('Paid from your credit: $48.00');
    expect(text).not.toContain('Payment method');
  });

  it('goes out for a payment of the collection', async () => {
    const { invoiceId } = await prepareDebtor(service, { cardNumber: CARDS.visa });
    await service.collect();
    await mailAbout(service, invoiceId, 'receipt');
  });
});

describe('the mail about a payment that failed', () => {
  it('says when the collection tries again, and at the end that it does not', async () => {
    const debtor = await prepareDebtor(service, { cardNumber: CARDS.insufficientFunds });
    const { invoiceId } = debtor;
    await service.collect();
    const { collection } = await readDebt(service, debtor);
    const first = await mailAbout(service, invoiceId, 'payment_failed');
    expect(first.text).toContain(`We will try again on ${dayOf(collection.nextAttemptAt)}.`);
    for (let days = 0; days < 60; days += 1) await collectAfterDays(service, 1);
    expect((await readDebt(service, debtor)).collection.state).toBe('exhausted');
    const [last, ...others] = await mailsAbout(service, invoiceId, 'payment_failed');
    expect(last.text).toContain(
      'We will not try again by ourselves. Please add another payment method in your account',
    );
    for (const other of others) expect(other.text).toContain('We will try again on');
  });

  it('says that a card is not charged again that its bank will never accept', async () => {
    const { invoiceId } = await prepareDebtor(service, { cardNumber: CARDS.lost });
    await service.collect();
    const { text } = await mailAbout(service, invoiceId, 'payment_failed');
    expect(text).toContain('We will not charge this payment method again.');
  });

  it('goes out for a payment by hand, and says when the collection tries', async () => {
    const debtor = await prepareDebtor(service, { cardNumber: CARDS.insufficientFunds });
    const { collection } = await readDebt(service, debtor);
    expectStatus(await pay(debtor.invoiceId, debtor.admin.token), 402);
    const { text, to } = await mailAbout(service, debtor.invoiceId, 'payment_failed');
    expect(to).toEqual([debtor.admin.email]);
    expect(text).toContain(`We will try again on ${dayOf(collection.nextAttemptAt)}.`);
  });

  it('does not go out while the gateway gives no answer', async () => {
    const { invoiceId } = await prepareDebtor(service, { cardNumber: CARDS.visa });
    await service.sandbox.armFault({ operation: 'create', kind: 'unauthorized' });
    await service.collect();
    expect(await mailsAbout(service, invoiceId, 'payment_failed')).toEqual([]);
  });
});

describe('a card that expires', () => {
  it('is told of once, from 30 days before, and again when it was renewed', async () => {
    const { db, owner } = service.database;
    const admin = await signUpAdmin(service);
    await saveCard(service, admin, { cardNumber: CARDS.visa, isDefault: true });
    const expireIn = (year: number, month: number) =>
      owner`UPDATE cards SET exp_year = ${year}, exp_month = ${month} WHERE company_id = ${admin.companyId}`;
    const told = async () => {
      const { data } = await listMails(service, `companyId=${admin.companyId}&type=card_expires`);
      return data.map(({ id }: { id: string }) => id);
    };
    await expireIn(2031, 10);
    await mailExpiring(db, new Date('2031-10-01T00:00:00Z'));
    expect(await told()).toEqual([]);
    for (const day of ['02', '03']) await mailExpiring(db, new Date(`2031-10-${day}T00:00:00Z`));
    const [first] = await told();
    expect(await told()).toHaveLength(1);
    const { subject, text } = await readMail(service, first);
    expect(subject).toContain('Your card ending in 4242');
    expect(text).toContain('expires at the end of October 2031.');
    await expireIn(2034, 10);
    await mailExpiring(db, new Date('2034-10-15T00:00:00Z'));
    expect(await told()).toHaveLength(2);
    await expireIn(2034, 9);
    await mailExpiring(db, new Date('2034-10-15T00:00:00Z'));
    expect(await told()).toHaveLength(2);
  });
});
