import { expect } from 'vitest';
import { type App, openApp } from '../../../server/test/customers/second-factors.ts';
import { addProvider, startIdentityServer } from '../../../server/test/identity/identity-server.ts';
import { joinAs } from '../service/member.ts';
import { checkAccessibility } from '../story/accessibility.ts';
import { pictureOf } from '../story/pictures.ts';
import { type Story, story } from '../story/story.ts';

async function openSecurity({ page, open, logIn }: Story): Promise<void> {
  await logIn();
  await open('/app/security');
  await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor();
}

/** Sets up the app that the open dialog shows. */
async function setUpApp({ page, company }: Story): Promise<App> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password').fill(company.admin.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('img', { name: 'Image for the authenticator app to scan' }).waitFor();
  const secret = await dialog.getByText(/^[A-Z2-7]{32}$/).innerText();
  return openApp(secret, { clock: () => new Date(), goOn: () => undefined });
}

/** Confirms the app with the code of the step before: the one that it shows now is still good then. */
async function confirmApp({ page }: Story, app: App): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Code').fill(app.code(-1));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
}

story('a member changes the password, which ends the other sessions', async (told) => {
  const { page, company } = told;
  await openSecurity(told);
  await page.getByText('This one').waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'app-security');
  await page.getByLabel('Current password').fill('Wrong-horse-77');
  await page.getByLabel('New password').fill('Another-horse-8');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('The password is wrong.').waitFor();
  await page.getByLabel('Current password').fill(company.admin.password);
  await page.getByLabel('New password').fill('Another-horse-8');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Password changed.').waitFor();
  await expect(company.client.auth.me.get()).rejects.toThrow();
});

story('a member sets up an authenticator app, keeps the recovery codes, and turns it off again', async (told) => {
  const { page, company } = told;
  await openSecurity(told);
  await page.getByRole('button', { name: 'Set up authenticator app' }).click();
  const app = await setUpApp(told);
  await checkAccessibility(page);
  await pictureOf(page, 'app-security-totp');
  await confirmApp(told, app);
  const codes = page.getByRole('dialog').getByRole('listitem');
  await codes.first().waitFor();
  expect(await codes.count()).toBe(10);
  await checkAccessibility(page);
  await pictureOf(page, 'app-security-codes');
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByRole('button', { name: 'Turn off authenticator app' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password').fill(company.admin.password);
  await dialog.getByLabel('Code').fill(app.code());
  await dialog.getByRole('button', { name: 'Turn off authenticator app' }).click();
  await page.getByText('Authenticator app turned off').waitFor();
  expect((await company.client.auth.me.get()).data.two_factor).toBe(false);
});

story('a passkey is added, named, used as a second factor and alone, and deleted', async (told) => {
  const { page, context, company } = told;
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  await openSecurity(told);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Telephone');
  await dialog.getByLabel('Password').fill(company.admin.password);
  await dialog.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByRole('button', { name: 'Rename' }).click();
  await dialog.getByLabel('Name').fill('Old telephone');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await page.getByText('Old telephone', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Set up authenticator app' }).waitFor();
  expect(await page.getByRole('button', { name: 'Turn off authenticator app' }).count()).toBe(0);
  await pictureOf(page, 'app-security-passkey');
  for (const isSecondFactor of [true, false]) {
    await context.clearCookies();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor();
    if (isSecondFactor) {
      await page.getByLabel('Email').fill(company.admin.email);
      await page.getByLabel('Password').fill(company.admin.password);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByText('Your account has a second factor.').waitFor();
    }
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor();
  }
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog.getByLabel('Password').fill(company.admin.password);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('You have no passkeys yet.').waitFor();
});

story('a member whose company demands a second factor is led to set one up', async (told) => {
  const { page, open, company, service } = told;
  const { id } = company;
  await service.database`UPDATE companies SET require_second_factor = true WHERE id = ${id}`;
  await open('/app/login');
  await page.getByLabel('Email').fill(company.admin.email);
  await page.getByLabel('Password').fill(company.admin.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('Set up a second factor to go on').waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'app-security-demanded');
  await page.getByRole('button', { name: 'Set up authenticator app' }).click();
  await confirmApp(told, await setUpApp(told));
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByRole('link', { name: 'Go to the home page' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
});

story('the last administrator can’t delete the account, nor anybody who types another e-mail', async (told) => {
  const { page, company } = told;
  const email = company.admin.email;
  await openSecurity(told);
  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Type your e-mail to confirm').fill('somebody@example.com');
  await dialog.getByLabel('Password').fill(company.admin.password);
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await dialog.getByText('is not the e-mail of your account').waitFor();
  await dialog.getByLabel('Type your e-mail to confirm').fill(email);
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await dialog.getByText('You are the last administrator of your company.').waitFor();
  await checkAccessibility(page);
  await pictureOf(page, 'app-security-delete');
});

story('who deletes the account is out, and can’t log in again', async (told) => {
  const { page, open, logIn, company } = told;
  const { email, password } = await joinAs(company, 'Admin');
  await logIn({ ...company.admin, email, password });
  await open('/app/security');
  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(`The account ${email} and all its sessions end at once.`).waitFor();
  await dialog.getByLabel('Type your e-mail to confirm').fill(email);
  await dialog.getByLabel('Password').fill(password);
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('The e-mail or the password is wrong.').waitFor();
  const { data: members } = await company.client.company.members.list();
  expect(members.map((member) => member.email)).toEqual([company.admin.email]);
});

story('a member links a sign-in provider, and logs in with single sign-on', async (told) => {
  const { page, company, service, watch } = told;
  const server = await startIdentityServer({}, service.url);
  watch.allow(new RegExp(`^foreign request: GET ${server.issuer}/`));
  try {
    const provider = await addProvider(service.asTestService, server);
    const { email } = company.admin;
    server.setPerson({ sub: crypto.randomUUID(), email, email_verified: true });
    await service.database`UPDATE users SET email_verified_at = now() WHERE email = ${email}`;
    await openSecurity(told);
    await page.getByRole('button', { name: 'Link a provider' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Sign-in provider').fill('nobody');
    await dialog.getByLabel('Password').fill(company.admin.password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('There is no sign-in provider with this name.').waitFor();
    await dialog.getByLabel('Sign-in provider').fill(provider);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await page.getByText(`${email} · Added`).waitFor();
    await pictureOf(page, 'app-security-linked');
    await page.getByRole('button', { name: 'Ada Lovelace' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor();
    await page.getByRole('button', { name: 'Use single sign-on' }).click();
    await page.getByLabel('Sign-in provider').fill(provider);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  } finally {
    await server.stop();
  }
});
