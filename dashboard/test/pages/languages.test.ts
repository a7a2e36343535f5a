import { expect } from 'vitest';
import { story } from '../story/story.ts';

/** What the API refuses, as pages tell it: an address that is none, a day that is over, and a name that is taken. */
const REFUSALS = {
  de: [
    'example.com: Muss eine IP-Adresse oder ein Bereich sein, etwa 192.0.2.0/24',
    'Muss in der Zukunft liegen',
    'Ist bereits vergeben',
  ],
  fr: [
    'example.com: Doit être une adresse IP ou une plage, par exemple 192.0.2.0/24',
    'Doit être dans le futur',
    'Déjà utilisé',
  ],
  es: [
    'example.com: Debe ser una dirección IP o un rango, por ejemplo 192.0.2.0/24',
    'Debe estar en el futuro',
    'Ya está en uso',
  ],
} as const;

story('what the API refuses is told at its field, in the language of the page', async (told) => {
  const { page, open, logIn, company } = told;
  await logIn();
  for (const [language, [address, day, name]] of Object.entries(REFUSALS)) {
    await company.client.auth.me.update({ language });
    await open('/app/api-keys');
    await page.locator('main header button').click();
    const panel = page.getByRole('dialog');
    await panel.locator('[name=name]').fill('Ticket service');
    await panel.locator('[name=allowed_ips]').fill('example.com');
    await panel.locator('[type=submit]').click();
    await panel.getByText(address).waitFor();
    await panel.locator('[name=allowed_ips]').fill('');
    await panel.locator('[name=expires_at]').fill('2020-01-01');
    await panel.locator('[type=submit]').click();
    await panel.getByText(day).waitFor();
    await open('/app/roles');
    await page.locator('main header button').click();
    await panel.locator('[name=name]').fill('Viewer');
    await panel.locator('[type=submit]').click();
    await panel.getByText(name).waitFor();
  }
  const { data: keys } = await company.client.company.apiKeys.list({});
  expect(keys).toEqual([]);
});
