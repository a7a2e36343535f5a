import type { CompanyDetails } from '@paydesk/client';
import { useFormat } from '../../format/format.ts';
import { Instant, Money } from '../../format/values.tsx';
import { useListsText } from '../../lists/text.ts';
import { Card } from '../../ui/card/card.tsx';
import { Description } from '../../ui/description/description.tsx';
import { Stat, Stats } from '../../ui/stat/stat.tsx';
import { CompanyCredit } from './company-credit.tsx';
import { CompanyFrame } from './company-frame.tsx';
import { CompanyMembers } from './company-members.tsx';
import { CompanyMethods } from './company-methods.tsx';
import { useCompanyText } from './text.ts';

/** One company: what it owes, who it is, how it pays, its credit and its members. */
export function CompanyOverviewPage() {
  return (
    <CompanyFrame part="overview">
      {(company) => (
        <>
          <Amounts company={company} />
          <Facts company={company} />
          <CompanyMethods companyId={company.id} />
          <CompanyCredit companyId={company.id} />
          <CompanyMembers companyId={company.id} />
        </>
      )}
    </CompanyFrame>
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
