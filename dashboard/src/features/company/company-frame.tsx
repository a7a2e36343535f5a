import type { CompanyDetails } from '@paydesk/client';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { paydesk } from '../../api/session.ts';
import { useLacksRole } from '../../forms/use-lacks-role.ts';
import { Page } from '../../shell/page.tsx';
import { Badge } from '../../ui/badge/badge.tsx';
import { buttonClass } from '../../ui/button/button.tsx';
import { TableSkeleton } from '../../ui/skeleton/table-skeleton.tsx';
import { LinkTabs } from '../../ui/tabs/tabs.tsx';
import { useCompaniesText } from '../companies/text.ts';
import { CreateInvoice } from '../operator-invoices/create-invoice.tsx';
import styles from './company.module.css';
import { useCompanyText } from './text.ts';
import { ViewAsCompany } from './view-as-company.tsx';

type Props = {
  part: 'overview' | 'billing' | 'mails' | 'prices' | 'usage' | 'developers';
  children: (company: CompanyDetails) => ReactNode;
};

/** What stands around each part of a company's page: its name, what can be done, and the way to the other parts. */
export function CompanyFrame({ part, children }: Props) {
  const t = useCompanyText();
  const companies = useCompaniesText();
  const mayFinance = useLacksRole('finance') === undefined;
  const { companyId = '' } = useParams({ strict: false });
  const { data: company } = useSuspenseQuery({
    queryKey: ['companies', companyId],
    queryFn: ({ signal }) => paydesk().operator.companies.get(companyId, { signal }),
  });
  const name = company.name || company.email || company.externalId || t('unnamed');
  return (
    <Page
      title={name}
      documentTitle={part === 'overview' ? name : `${name}: ${t(`parts.${part}`)}`}
      badge={company.disabled ? <Badge tone="danger">{companies('disabled')}</Badge> : null}
      above={<Link to="/console/companies">{companies('title')}</Link>}
      actions={
        <>
          {mayFinance ? <ViewAsCompany companyId={companyId} /> : null}
          <CreateInvoice companyId={companyId} />
          <Link to="/console/invoices" search={{ companyId }} className={buttonClass()}>
            {t('invoices')}
          </Link>
          <Link to="/console/audit-log" search={{ companyId }} className={buttonClass()}>
            {t('auditLog')}
          </Link>
        </>
      }
    >
      <div className={styles.parts}>
        <Parts companyId={companyId} />
        <Suspense fallback={<TableSkeleton columns={3} rows={6} />}>{children(company)}</Suspense>
      </div>
    </Page>
  );
}

function Parts({ companyId }: { companyId: string }) {
  const t = useCompanyText();
  const params = { companyId };
  const link = { params, activeOptions: { exact: true, includeSearch: false } };
  return (
    <LinkTabs
      label={t('partsOf')}
      links={[
        <Link key="overview" to="/console/companies/$companyId" {...link}>
          {t('parts.overview')}
        </Link>,
        <Link key="billing" to="/console/companies/$companyId/billing" {...link}>
          {t('parts.billing')}
        </Link>,
        <Link key="mails" to="/console/companies/$companyId/mails" {...link}>
          {t('parts.mails')}
        </Link>,
        <Link key="prices" to="/console/companies/$companyId/prices" {...link}>
          {t('parts.prices')}
        </Link>,
        <Link key="usage" to="/console/companies/$companyId/usage" {...link}>
          {t('parts.usage')}
        </Link>,
        <Link key="developers" to="/console/companies/$companyId/developers" {...link}>
          {t('parts.developers')}
        </Link>,
      ]}
    />
  );
}
