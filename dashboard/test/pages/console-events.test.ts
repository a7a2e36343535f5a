import { signUpLifelikeCompany } from '../service/lifelike.ts';
import { story } from '../story/story.ts';

story(
  'an event leads to its company and to its invoice',
  async ({ page, open, company, logInToConsole, operator }) => {
    const { data } = await operator.payments.list({ companyId: company.id, status: 'Succeeded' });
    const number = data[0]?.invoiceNumber ?? '';
    await logInToConsole();
    await open('/console/events?type=payment.captured');
    const row = page.getByRole('row').filter({ hasText: number });
    await row.getByRole('link', { name: number }).click();
    await page.getByRole('heading', { level: 1, name: `Invoice ${number}` }).waitFor();
    await page.goBack();
    await row.getByRole('link', { name: company.name }).click();
    await page.waitForURL(`**/console/companies/${company.id}`);
    await page.getByRole('heading', { name: 'Payment methods' }).waitFor();
  },
  { makeCompany: signUpLifelikeCompany },
);
