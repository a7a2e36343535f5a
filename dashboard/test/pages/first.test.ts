import { expect } from 'vitest';
import { checkAccessibility } from '../story/accessibility.ts';
import { pictureOf } from '../story/pictures.ts';
import { story } from '../story/story.ts';

for (const address of ['/app', '/console']) {
  story(`${address} is a page that the browser does not object to`, async ({ page, open, logIn }) => {
    await logIn();
    await open(address);
    await page.locator('#root:not(:empty)').waitFor();
    expect(await page.title()).toContain('Paydesk');
    await checkAccessibility(page);
    await pictureOf(page, address.slice(1));
  });
}
