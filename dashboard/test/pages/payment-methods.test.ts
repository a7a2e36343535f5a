import { expect } from 'vitest';
import { saveCard } from '../service/billing.ts';
import { checkAccessibility } from '../story/accessibility.ts';
import { pictureOf } from '../story/pictures.ts';
import { story } from '../story/story.ts';

story('a member adds the first card with a new address', async ({ page, open, logIn, company }) => {
  await logIn();
  await open('/app/payment-methods');
  await page.getByText('No cards yet').waitFor();
  await pictureOf(page, 'payment-methods-empty');
  await page.getByRole('button', { name: 'Add card' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name on card').fill('Ada Lovelace');
  await dialog.getByLabel('Card number').fill('4242 4242 4242 4241');
  await dialog.getByLabel('Expiry (MM / YY)').fill('12/40');
  await dialog.getByLabel('CVC').fill('123');
  await dialog.getByLabel('Street and number').fill('12 St James Square');
  await dialog.getByLabel('Country').click();
  await page.getByRole('option', { name: 'United Kingdom' }).click();
  await pictureOf(page, 'add-card');
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Add card' }).click();
  // The last digit is wrong: the field says it, and the address is saved only once.
  await dialog
    .getByText(/card number/i)
    .nth(1)
    .waitFor();
  await pictureOf(page, 'add-card-refused');
  await dialog.getByLabel('Card number').fill('4242 4242 4242 4242');
  await dialog.getByRole('button', { name: 'Add card' }).click();
  await page.getByText('Visa •••• 4242').first().waitFor();
  await expect.poll(() => dialog.count()).toBe(0);
  expect(await company.client.addresses.list()).toHaveLength(1);
  await pictureOf(page, 'payment-methods-one');
});

story('a card whose bank asks is saved after the confirmation, and not after a refusal', async (told) => {
  const { page, open, logIn, company } = told;
  await saveCard(company, '5555 5555 5555 4444');
  const numbers: string[] = [];
  page.on('request', (request) => {
    if (request.postData()?.includes('3155')) numbers.push(new URL(request.url()).pathname);
  });
  await logIn();
  await open('/app/payment-methods');
  await page.getByRole('button', { name: 'Add card' }).click();
  const form = page.getByRole('dialog', { name: 'Add card' });
  await form.getByLabel('Name on card').fill('Ada Lovelace');
  await form.getByLabel('Card number').fill('4000 0025 0000 3155');
  await form.getByLabel('Expiry (MM / YY)').fill('13/40');
  await form.getByLabel('CVC').fill('123');
  await form.getByRole('button', { name: 'Add card' }).click();
  await form.getByText('Write the month and the year that are on the card').waitFor();
  await form.getByLabel('Expiry (MM / YY)').fill('12/40');
  await form.getByRole('button', { name: 'Add card' }).click();
  const question = page.getByRole('dialog', { name: 'Confirm with your bank' });
  await question.getByText('The sandbox stands for your bank').waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'add-card-question');
  await question.getByRole('button', { name: 'Refuse' }).click();
  await form.getByText('The bank did not get your confirmation, so the card is not saved.').waitFor();
  expect(await company.client.cards.list()).toHaveLength(1);
  await form.getByRole('button', { name: 'Add card' }).click();
  await question.getByRole('button', { name: 'Close' }).click();
  await form.getByText('your bank has no confirmation yet').waitFor();
  await form.getByRole('button', { name: 'Add card' }).click();
  await question.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Visa •••• 3155 is saved').first().waitFor();
  const [saved] = (await company.client.cards.list()).filter(({ info }) => info.cardNumber.endsWith('3155'));
  expect([saved?.info.cardNumber, saved?.isDefault]).toEqual(['************3155', true]);
  // Only the fields of the sandbox have got the number.
  expect(new Set(numbers)).toEqual(new Set(['/gateways/sandbox/setups/confirm']));
});

story('a bank account is added with its mandate, and deleted', async ({ page, open, logIn, company }) => {
  await saveCard(company);
  await logIn();
  await open('/app/payment-methods');
  await page.getByRole('button', { name: 'Add bank account' }).click();
  const form = page.getByRole('dialog', { name: 'Add bank account' });
  await form.getByLabel('Account holder').fill('Ada Lovelace');
  await form.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 01');
  await form.getByLabel('E-mail').fill('ada@example.com');
  await form.getByRole('checkbox', { name: 'I accept the mandate' }).click();
  await checkAccessibility(page);
  await pictureOf(page, 'add-mandate');
  await form.getByRole('button', { name: 'Add bank account' }).click();
  await expect.poll(() => form.getByLabel('IBAN').getAttribute('aria-invalid')).toBe('true');
  await form.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 00');
  await form.getByRole('button', { name: 'Add bank account' }).click();
  await page.getByText('SEPA •••• 3000 is saved').first().waitFor();
  const [mandate] = (await company.client.cards.list()).filter(({ method }) => method === 'sepa_debit');
  await page.getByText(`Ada Lovelace · mandate ${mandate?.mandate?.reference}`).waitFor();
  await pictureOf(page, 'payment-methods-mandate');
  await page.getByRole('button', { name: 'Actions for SEPA •••• 3000' }).click();
  await page.getByRole('menuitem', { name: 'Delete bank account' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete bank account' }).click();
  await page.getByText('SEPA •••• 3000 is deleted').first().waitFor();
  expect((await company.client.cards.list()).map(({ method }) => method)).toEqual(['Card']);
});

story('cards, PayPal accounts and addresses are changed and deleted', async ({ page, open, logIn, company }) => {
  await saveCard(company);
  await saveCard(company, '5555 5555 5555 4444');
  await company.client.paypalAccounts.create({ setupToken: 'any-text', isDefault: true });
  await logIn();
  await open('/app/payment-methods');
  await page.getByText('Mastercard •••• 4444').waitFor();
  await pictureOf(page, 'payment-methods');
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Actions for Visa •••• 4242' }).click();
  await page.getByRole('menuitem', { name: 'Make default' }).click();
  await page.getByText('Visa •••• 4242 is the default now').waitFor();
  await page.getByRole('button', { name: 'Actions for Mastercard •••• 4444' }).click();
  await page.getByRole('menuitem', { name: 'Delete card' }).click();
  await page.getByRole('dialog').getByText('Delete Mastercard •••• 4444?').waitFor();
  await checkAccessibility(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete card' }).click();
  await page.getByText('Mastercard •••• 4444 is deleted').waitFor();
  expect((await company.client.cards.list()).map(({ isDefault }) => isDefault)).toEqual([true]);
  await page.getByRole('button', { name: 'Add address' }).click();
  await page.getByRole('dialog').getByLabel('Street and number').fill('1 Rue de Rivoli');
  await page.getByRole('dialog').getByLabel('Country').click();
  await page.getByRole('option', { name: 'France' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Add address' }).click();
  await page.getByText('1 Rue de Rivoli').first().waitFor();
});
