import { randomUUID } from 'node:crypto';
import { mailsTo, tokenIn } from '../../../server/test/mail/mails.ts';
import { checkAccessibility } from '../story/accessibility.ts';
import { pictureOf } from '../story/pictures.ts';
import { type Story, story } from '../story/story.ts';

async function linkTo({ service }: Story, email: string): Promise<string> {
  const [mail] = await mailsTo(service.asTestService, email);
  return `/app/invitation#token=${tokenIn(mail.text)}`;
}

async function accept({ page }: Story): Promise<void> {
  await page.getByLabel('First name').fill('Grace');
  await page.getByLabel('Last name').fill('Hopper');
  await page.getByLabel('Password').fill('Correct-horse-7');
  await page.getByRole('button', { name: 'Accept' }).click();
}

story('somebody who is invited joins the company', async (told) => {
  const { page, open, company } = told;
  const email = `${randomUUID()}@example.com`;
  await company.client.company.update({ name: 'Analytical Engines' });
  const { data: roles } = await company.client.company.roles.list();
  const viewer = roles.find(({ name }) => name === 'Viewer');
  await company.client.company.invitations.create({ email, role_id: viewer?.id ?? '' });
  await open(await linkTo(told, email));
  await page.getByRole('heading', { level: 1, name: 'Join Analytical Engines' }).waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'app-invitation-open');
  await accept(told);
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
});

story('somebody who is invited to the staff goes on to set up a second factor', async (told) => {
  const { page, open, operator } = told;
  const email = `${randomUUID()}@example.com`;
  await operator.staff.invite({ email, role: 'finance' });
  await open(await linkTo(told, email));
  await page.getByRole('heading', { level: 1, name: 'Join the staff' }).waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'app-invitation-staff');
  await accept(told);
  await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor();
});
