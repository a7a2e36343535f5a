import { expect } from 'vitest';
import { checkAccessibility } from './accessibility.ts';
import { story } from './story.ts';

story('axe finds a picture without a text', async ({ page, open }) => {
  await open('/app/login');
  await page.evaluate(() => document.body.append(Object.assign(new Image(), { src: 'data:,' })));
  await expect(checkAccessibility(page)).rejects.toThrow(/axe finds on \/app\/login, light, 390 px:\nimage-alt/);
});
