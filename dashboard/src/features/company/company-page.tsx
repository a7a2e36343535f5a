import type { CompanyDetails } from '@paydesk/client';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { paydesk } from '../../api/session.ts';
import { useFormat } from '../../format/format.ts';
import { Instant, Money } from '../../format/values.tsx';
import { useListsText } from '../../lists/text.ts';
import { Page } from '../../shell/page.tsx';
import { Badge } from '../../ui/badge/badge.tsx';
import { buttonClass } from '../../ui/button/button.tsx';
import { Card } from '../../ui/card/card.tsx';
import { Description } from '../../ui/description/description.tsx';
import { Stat, Stats } from '../../ui/stat/stat.tsx';
import { useCompaniesText } from '../companies/text.ts';
import { CreateInvoice } from '../operator-invoices/create-invoice.tsx';
import styles from './company.module.css';
import { CompanyCredit } from './company-credit.tsx';
import { CompanyMembers } from './company-members.tsx';
import { CompanyMethods } from './company-methods.tsx';
import { useCompanyText } from './text.ts';
import { ViewAsCompany } from './view-as-company.tsx';

/** One company, with everything about it. */
export function CompanyPage() {
  const t = useCompanyText();
  const companies = useCompaniesText();
  const { companyId } = useParams({ from: '/console/console/companies/$companyId' });
  const { data: company } = useSuspenseQuery({
    queryKey: ['companies', companyId],
    queryFn: ({ signal }) => paydesk().operator.companies.get(companyId, { signal }),
  });
  return (
    <Page
      title={company.name || company.email || company.externalId || companyId}
      badge={company.disabled ? <Badge tone="danger">{companies('disabled')}</Badge> : null}
      above={<Link to="/console/companies">{companies('title')}</Link>}
      actions={
        <>
          <ViewAsCompany companyId={companyId} />
          <CreateInvoice companyId={companyId} />
          <Link to="/console/invoices" search={{ companyId }} className={buttonClass()}>
            {t('invoices')}
          </Link>
        </>
      }
    >
      <div className={styles.parts}>
        <Amounts company={company} />
        <Facts company={company} />
        <CompanyMethods companyId={companyId} />
        <CompanyCredit companyId={companyId} />
        <CompanyMembers companyId={companyId} />
      </div>
    </Page>
  );
}

function Amounts({ company: { due, overdue, credit, openInvoices } }: { company: CompanyDetails }) {
  const t = useCompanyText();
  const format = useFormat();
  return (
    <Stats>
      <Stat label={t('due')} value={<Amount of={due} />} />
      <Stat label={t('overdue')} value={<Amount of={overdue} />} />
      <Stat label={t('credit')} value={<Amount of={credit} />} />
      <Stat label={t('openInvoices')} value={format.number(openInvoices)} />
    </Stats>
  );
}

function Amount({ of }: { of: CompanyDetails['due'] }) {
  const t = useCompanyText();
  if (of.length === 0) return t('nothing');
  return of.map(({ amount, currency }) => (
    <div key={currency}>
      <Money amount={amount} currency={currency} />
    </div>
  ));
}

function Facts({ company }: { company: CompanyDetails }) {
  const t = useCompanyText();
  const words = useListsText();
  const format = useFormat();
  const { email, phone, externalId, createdAt, members, cards, paypalAccounts } = company;
  return (
    <Card title={t('about')}>
      <Description
        items={[
          { term: words('words.email'), value: email || '–' },
          { term: t('phone'), value: phone || '–' },
          { term: words('words.externalId'), value: externalId ?? '–' },
          { term: words('words.created'), value: <Instant value={createdAt} /> },
          { term: t('members'), value: format.number(members) },
          { term: t('cards'), value: format.number(cards) },
          { term: t('paypalAccounts'), value: format.number(paypalAccounts) },
        ]}
      />
    </Card>
  );
}
