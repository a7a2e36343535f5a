import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { checkAccessibility } from '../story/accessibility.ts';
import { pictureOf } from '../story/pictures.ts';
import { story } from '../story/story.ts';

const URL = 'https://hooks.example.com/paydesk';

story('a member adds an endpoint for some events, changes which ones, and rotates its secret', async (told) => {
  const { page, open, logIn, company } = told;
  await logIn();
  await open('/app/webhooks');
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('URL').fill(URL);
  await dialog.getByRole('radio', { name: 'Chosen events' }).check();
  expect(await dialog.getByRole('checkbox', { name: 'Alert raised' }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  await dialog.getByText('Choose at least one event').waitFor();
  await dialog.getByRole('checkbox', { name: 'Refund made' }).check();
  await checkAccessibility(page);
  await pictureOf(page, 'app-webhooks-add');
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  expect(await dialog.locator('code').textContent()).toMatch(/^whsec_/);
  await checkAccessibility(page);
  await pictureOf(page, 'app-webhooks-secret');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('cell', { name: 'Refund made' }).waitFor();
  expect(await page.content()).not.toContain('whsec_');

  await choose(page, 'Edit endpoint');
  await dialog.getByRole('checkbox', { name: 'Invoices: all' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('cell', { name: 'Refund made and 1 more' }).waitFor();
  const { data } = await company.client.webhookEndpoints.list();
  expect(data.map(({ url, types }) => ({ url, types }))).toEqual([
    { url: URL, types: ['refund.succeeded', 'invoice.*'] },
  ]);

  await choose(page, 'Rotate secret');
  await dialog.getByText('For 24 hours Paydesk signs each event with both').waitFor();
  await dialog.getByRole('button', { name: 'Rotate secret' }).click();
  expect(await dialog.locator('code').textContent()).toMatch(/^whsec_/);
  await dialog.getByText(/The old secret signs too until/).waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  expect((await company.client.webhookEndpoints.list()).data[0]?.previousSecretUntil).not.toBeNull();
  await pictureOf(page, 'app-webhooks');
});

story('a member reads why a delivery failed, and when it is tried again', async ({ page, open, logIn, company }) => {
  await company.client.webhookEndpoints.create({ url: URL });
  await logIn();
  await open('/app/webhooks');
  await choose(page, 'Send a test');
  await choose(page, 'Deliveries');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('cell', { name: /^\d attempts?$/ }).waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'app-webhooks-deliveries');
  await dialog.getByRole('button', { name: 'Test event' }).click();
  // A slow machine sees the next attempt, too.
  await dialog.getByText('The endpoint could not be reached').first().waitFor();
  await dialog.getByText('Next attempt').waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'app-webhooks-delivery');
});

story('staff enable an endpoint that was gone, and send it what it missed', async (told) => {
  const { page, open, logInToConsole, operator, company, service } = told;
  await using receiver = await startReceiver(service.receiverPort);
  const { id } = await operator.webhookEndpoints.create({ url: receiver.url, types: ['label.created'] });
  const text = { name: 'Missed', description: 'While it was gone', userName: 'Ada' };
  const label = await company.client.labels.create({ ...text, color: '#1f6feb' });
  await expect.poll(() => receiver.received).toContainEqual(expect.objectContaining({ type: 'label.created' }));
  await logInToConsole();
  await open('/console/webhooks');
  await page.getByText(`${receiver.url} is disabled`).waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'console-webhooks-disabled');
  receiver.answer = { status: 200, text: 'thanks' };
  await page.getByRole('button', { name: 'Enable' }).click();
  await page.getByText('The endpoint gets events again').waitFor();
  receiver.received.length = 0;

  await choose(page, 'Send events again', receiver.url);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('To').fill('2099-01-01T00:00');
  await dialog.getByRole('button', { name: 'Send events again' }).click();
  await dialog.getByText(/on (its|their) way/).waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'console-webhooks-replay');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect.poll(() => receiver.received.map(({ data }) => data.id)).toContain(label.id);

  await choose(page, 'Deliveries', receiver.url);
  await dialog.getByRole('button', { name: 'Label created' }).first().click();
  await dialog.getByText('Delivered: the endpoint answered 200').waitFor();
  await dialog.getByText('thanks').waitFor();
  const before = receiver.received.length;
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await expect.poll(() => receiver.received.length).toBeGreaterThan(before);
  await operator.webhookEndpoints.delete(id);
});

/** Chooses an action of an endpoint, the only one by default. */
async function choose(page: Page, action: string, url = URL): Promise<void> {
  await page.getByRole('button', { name: `Actions: ${url}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

type Received = { type: string; data: { id?: string } };

/** A program of the operator that gets events. At first it is gone for good. */
async function startReceiver(port: number) {
  const received: Received[] = [];
  const receiver = { url: `http://127.0.0.1:${port}/events`, received, answer: { status: 410, text: 'gone' } };
  const server = createServer(async (request, response) => {
    received.push(JSON.parse(await text(request)));
    response.writeHead(receiver.answer.status).end(receiver.answer.text);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return Object.assign(receiver, { [Symbol.asyncDispose]: close });
}
