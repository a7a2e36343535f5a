/** Invoices are paid on a telephone, from the link in the mail, at a service that sends its mails. */
import { createPaydesk, type MailSettings, type Paydesk } from '@paydesk/client';
import type { ParsedMail } from 'mailparser';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { endProcesses, eventually, startPaydesk } from '../../../server/test/harness/process.ts';
import { type MailServer, startMailServer } from '../../../server/test/mail/mail-server.ts';
import { issueInvoice } from '../service/billing.ts';
import { type Company, signUpCompanyAt } from '../service/company.ts';
import { findFreePort } from '../service/start.ts';
import { checkLook } from '../story/accessibility.ts';
import { takePicture } from '../story/pictures.ts';
import { type Story, story } from '../story/story.ts';
import { fitsWidth, onTelephone } from '../story/telephone.ts';

/** A published test card whose bank asks at every charge. */
const ASKS_ALWAYS = '4000 0027 6000 3184';

let mailServer: MailServer;
let url = '';
let operator: Paydesk['operator'];
beforeAll(async () => {
  mailServer = await startMailServer();
  const port = await findFreePort();
  url = `http://localhost:${port}`;
  const { service } = await startPaydesk({
    PORT: String(port),
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'billing@mail.example.com',
  });
  operator = createPaydesk({ url, operatorKey: service.operatorKey }).operator;
});
afterAll(async () => {
  await endProcesses();
  await mailServer?.stop();
});

const options = { makeCompany: () => signUpCompanyAt(url), url: () => url };

/** The mail that has arrived about an invoice, with these words in its subject. */
function arrived({ admin }: Company, number: string, subject: RegExp): Promise<ParsedMail> {
  const isIt = ({ recipients, parsed }: ReturnType<MailServer['received']>[number]) =>
    recipients.includes(admin.email) && subject.test(parsed.subject ?? '') && parsed.subject?.includes(number) === true;
  return eventually(
    () => mailServer.received().find(isIt)?.parsed,
    () => `a mail ${subject} about ${number}`,
  );
}

/** The link of the only button in the mail. */
function linkIn({ html }: ParsedMail): string {
  const links = [...String(html).matchAll(/<a href="([^"]+)"/g)].map(([, link = '']) => link);
  expect(links).toEqual([expect.stringMatching(/^http:\/\/localhost:\d+\/pay\/[\w.-]+$/)]);
  return links[0] ?? '';
}

/** Issues an invoice in euros, whose mail arrives with its PDF. */
async function mailInvoice(company: Company, settings: Partial<MailSettings> = {}) {
  await company.client.mailSettings.update({ ...(await company.client.mailSettings.get()), ...settings });
  const invoice = await issueInvoice(operator, company, '48.00', 'EUR');
  const mail = await arrived(company, invoice.number, /^(?:Invoice|Rechnung)/);
  const [file] = mail.attachments;
  expect([file?.filename, file?.contentType]).toEqual([`${invoice.number}.pdf`, 'application/pdf']);
  expect(file?.content.subarray(0, 5).toString()).toBe('%PDF-');
  return { ...invoice, link: linkIn(mail) };
}

type Words = Record<'number' | 'month' | 'year' | 'code' | 'name' | 'country' | 'pay', string>;
const ENGLISH: Words = {
  ...{ number: 'Card number', month: 'Month', year: 'Year', code: 'CVC', name: 'Name on card', country: 'Country' },
  pay: 'Pay €57.60',
};
const GERMAN: Words = {
  ...{ number: 'Kartennummer', month: 'Monat', year: 'Jahr', code: 'Prüfziffer', name: 'Name auf der Karte' },
  ...{ country: 'Land', pay: '57,60 € bezahlen' },
};

async function payByTouch(page: Page, words: Words): Promise<void> {
  for (const [label, text] of [
    [words.number, ASKS_ALWAYS],
    [words.month, '12'],
    [words.year, '40'],
    [words.code, '123'],
    [words.name, 'Grace Hopper'],
  ] as const) {
    await page.getByLabel(label).tap();
    await page.keyboard.type(text);
  }
  await page.getByLabel(words.country).selectOption('DE');
  await page.getByRole('button', { name: words.pay }).tap();
}

/** Waits until the page is in this state. It fits the telephone in all of them. */
async function becomes(page: Page, state: string): Promise<void> {
  await page.locator(`main[data-state=${state}]`).waitFor();
  expect(await fitsWidth(page)).toBe(true);
}

/** Confirms the payment, and gets no answer. */
async function confirmInVain(page: Page): Promise<void> {
  const lost = page.waitForEvent('requestfailed');
  await page.getByRole('button', { name: 'Confirm payment' }).tap({ noWaitAfter: true });
  await lost;
}

const attemptsOf = async ({ company }: Story, id: string) =>
  (await company.client.invoices.get(id)).attempts.map(({ status, cardId }) => ({ status, cardId }));
const PAID_ONCE = [{ status: 'Succeeded', cardId: null }];

story(
  'an invoice arrives by mail, is paid on a telephone with a card whose bank asks, and the receipt arrives',
  async (told) => {
    const { company } = told;
    const invoice = await mailInvoice(company);
    await onTelephone({ url, width: 390 }, async ({ page }) => {
      await page.goto(invoice.link);
      await becomes(page, 'due');
      await checkLook(page, { theme: 'light', width: 390 });
      await payByTouch(page, ENGLISH);
      await becomes(page, 'confirm');
      // The mail is opened once more while the bank waits.
      await page.goto(invoice.link);
      await becomes(page, 'confirm');
      await page.getByRole('button', { name: 'Confirm payment' }).tap();
      await becomes(page, 'paid');
      await page.getByText('This invoice is paid.').waitFor();
      await takePicture(page, 'invoice-mail-paid', { theme: 'light', width: 390 });
    });
    const receipt = await arrived(company, invoice.number, /^Receipt/);
    expect(receipt.text).toContain(`Invoice ${invoice.number} is paid in full.`);
    expect(receipt.text).toContain('€57.60');
    expect(linkIn(receipt)).toBe(invoice.link);
    expect(await attemptsOf(told, invoice.id)).toEqual(PAID_ONCE);
  },
  options,
);

story(
  'a mail in German leads to a page that needs no script at 320 pixels: refused at the bank, then paid',
  async (told) => {
    const { company } = told;
    const invoice = await mailInvoice(company, { language: 'de' });
    await onTelephone({ url, width: 320, locale: 'de-DE', hasScript: false }, async ({ page }) => {
      await page.goto(invoice.link);
      await becomes(page, 'due');
      await payByTouch(page, GERMAN);
      await becomes(page, 'confirm');
      await page.getByRole('button', { name: 'Ablehnen' }).tap();
      await becomes(page, 'failed');
      await page.getByText('Die Zahlung wurde bei der Bank nicht bestätigt.').waitFor();
      await takePicture(page, 'invoice-mail-refused', { theme: 'light', width: 320 });
      await payByTouch(page, GERMAN);
      await becomes(page, 'confirm');
      await page.getByRole('button', { name: 'Zahlung bestätigen' }).tap();
      await becomes(page, 'paid');
    });
    const receipt = await arrived(company, invoice.number, /^Zahlungsbeleg/);
    expect(receipt.text).toContain(`Die Rechnung ${invoice.number} ist vollständig bezahlt.`);
    expect((await attemptsOf(told, invoice.id)).map(({ status }) => status).toSorted()).toEqual([
      'Failed',
      'Succeeded',
    ]);
  },
  options,
);

story(
  'a telephone that loses the network while it confirms finds the invoice paid once when the mail is opened again',
  async (told) => {
    const { company } = told;
    const invoice = await mailInvoice(company);
    await onTelephone({ url, width: 320 }, async ({ page, context, watch }) => {
      watch.allow(/net::ERR_/);
      await page.goto(invoice.link);
      await payByTouch(page, ENGLISH);
      await becomes(page, 'confirm');
      // Nothing leaves the telephone.
      await context.setOffline(true);
      await confirmInVain(page);
      expect((await attemptsOf(told, invoice.id)).map(({ status }) => status)).toEqual(['RequiresAction']);
      await context.setOffline(false);
      await page.goto(invoice.link);
      await becomes(page, 'confirm');
      // The service gets the answer, and the telephone does not hear of it.
      await page.route('**/confirm', async (route) => {
        // The browser adds that header after this point.
        const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' };
        await route.fetch({ maxRedirects: 0, headers });
        await route.abort('connectionreset');
      });
      await confirmInVain(page);
      await page.unrouteAll({ behavior: 'wait' });
      await page.goto(invoice.link);
      await becomes(page, 'paid');
    });
    await arrived(company, invoice.number, /^Receipt/);
    expect(await attemptsOf(told, invoice.id)).toEqual(PAID_ONCE);
  },
  options,
);
