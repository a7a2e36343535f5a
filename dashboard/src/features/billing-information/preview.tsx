import { useSession } from '../../api/session.ts';
import { countryName } from '../../format/countries.ts';
import styles from './billing-information.module.css';
import type { Draft } from './draft.ts';
import { useBillingText } from './text.ts';

/** The address block of an invoice, as the PDF writes it, while it is typed. The PDF is in English. */
export function BillToPreview({ draft }: { draft: Draft }) {
  const t = useBillingText();
  const session = useSession();
  const place = [draft.zipCode, draft.city].filter((part) => part.trim() !== '').join(' ');
  const lines = [
    draft.organization,
    `${draft.firstName} ${draft.lastName}`,
    ...draft.address.split('\n'),
    [place, draft.province].filter((part) => part.trim() !== '').join(', '),
    countryName(draft.country, 'en'),
    draft.taxId.trim() === '' ? '' : `Tax ID: ${draft.taxId}`,
  ].filter((line) => line.trim() !== '');
  return (
    <section aria-label={t('preview.title')} className={styles.preview}>
      <h2 className={styles.previewTitle}>{t('preview.title')}</h2>
      <div className={styles.paper}>
        <p className={styles.paperTitle} aria-hidden="true">
          Invoice
        </p>
        <p className={styles.billTo}>Bill to</p>
        {lines.length === 0 ? <p className={styles.muted}>{session?.user?.email ?? t('preview.empty')}</p> : null}
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no other identity, and none keeps a state.
          <p key={index} className={index === 0 ? styles.first : undefined}>
            {line}
          </p>
        ))}
        <div className={styles.ghost} aria-hidden="true">
          <span />
          <span />
          <span />
        </div>
      </div>
      <p className={styles.muted}>{t('preview.note')}</p>
    </section>
  );
}
