import type { OperatorInvoice } from '@paydesk/client';
import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { useFormat } from '../../format/format.ts';
import { useFormsText } from '../../forms/text.ts';
import { useLacksRole } from '../../forms/use-lacks-role.ts';
import { useListsText } from '../../lists/text.ts';
import { Button } from '../../ui/button/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { dueOf } from '../invoice/amounts.ts';
import { useInvoiceText } from '../invoice/text.ts';
import { useDownload } from '../invoice/use-download.ts';
import { ShareLink } from '../invoice-link/share-link.tsx';
import { isDebit } from '../pay/outcome.ts';
import { Postings } from './postings.tsx';
import { useOperatorInvoicesText } from './text.ts';
import { useInvoiceAction } from './use-invoice-action.ts';

type Props = { invoice: OperatorInvoice };

/** What the operator can do with an invoice, as its state allows. Who may only read has the PDF. */
export function OperatorInvoiceActions({ invoice }: Props) {
  const reason = useLacksRole('finance');
  const reading = (
    <>
      <DownloadPdf invoice={invoice} />
      <ShareLink invoice={invoice} link={paydesk().operator.invoices.link} disabledReason={reason} />
    </>
  );
  if (reason !== undefined) return reading;
  return (
    <>
      {reading}
      {invoice.state === 'open' ? <ChargeInvoice invoice={invoice} /> : null}
      {invoice.state === 'open' || invoice.state === 'paid' ? <IssueCreditNote invoice={invoice} /> : null}
      {invoice.payment?.status === 'Succeeded' ? (
        <RefundPayment invoice={invoice} paymentId={invoice.payment.id} />
      ) : null}
      {invoice.state === 'open' ? <VoidInvoice invoice={invoice} /> : null}
    </>
  );
}

function DownloadPdf({ invoice: { id, number } }: Props) {
  const t = useInvoiceText();
  const { submit, isPending } = useDownload();
  const read = () => paydesk().operator.invoices.pdf(id);
  return (
    <Button pending={isPending} onClick={() => void submit({ read, name: `${number}.pdf` })}>
      {t('download')}
    </Button>
  );
}

/** Why what is due can't change now. */
function useUnderWay({ payment }: OperatorInvoice): { disabledReason?: string } {
  const t = useInvoiceText();
  if (payment?.status !== 'Processing') return {};
  return { disabledReason: t(isDebit(payment) ? 'reasons.debit' : 'reasons.findingOut') };
}

function ChargeInvoice({ invoice }: Props) {
  const t = useOperatorInvoicesText();
  const words = useDialogWords();
  const format = useFormat();
  const act = useInvoiceAction(
    invoice,
    (_: undefined, options) => paydesk().operator.invoices.charge(invoice.id, options),
    ({ status }) => t(status === 'Succeeded' ? 'charged' : 'chargeBegun'),
  );
  return (
    <>
      <Button variant="primary" onClick={act.open} {...useUnderWay(invoice)}>
        {t('charge')}
      </Button>
      <ConfirmDialog
        {...words}
        open={act.isOpen}
        onClose={act.close}
        title={t('charge')}
        confirmLabel={t('charge')}
        pending={act.isPending}
        error={act.error}
        onConfirm={() => void act.submit(undefined)}
      >
        <p>{t('chargeText', { amount: format.money(dueOf(invoice), invoice.currency) })}</p>
      </ConfirmDialog>
    </>
  );
}

function VoidInvoice({ invoice }: Props) {
  const t = useOperatorInvoicesText();
  const words = useDialogWords();
  const format = useFormat();
  const { id, number } = invoice;
  const act = useInvoiceAction(
    invoice,
    (_: undefined, options) => paydesk().operator.invoices.void(id, options),
    t('voided', { number }),
  );
  return (
    <>
      <Button onClick={act.open} {...useUnderWay(invoice)}>
        {t('void')}
      </Button>
      <ConfirmDialog
        {...words}
        open={act.isOpen}
        onClose={act.close}
        title={t('voidTitle', { number })}
        confirmLabel={t('void')}
        tone="danger"
        pending={act.isPending}
        error={act.error}
        typeToConfirm={{ label: t('typeNumber', { number }), text: number }}
        onConfirm={() => void act.submit(undefined)}
      >
        <p>{t('voidText', { amount: format.money(dueOf(invoice), invoice.currency) })}</p>
        {act.isOpen ? <Postings invoiceId={id} of="void" /> : null}
      </ConfirmDialog>
    </>
  );
}

function IssueCreditNote({ invoice }: Props) {
  const t = useOperatorInvoicesText();
  const words = useDialogWords();
  const { id, number, currency } = invoice;
  const fields = useAmountAndReason();
  const act = useInvoiceAction(
    invoice,
    (body: { amount: string; reason: string }, options) =>
      paydesk().operator.invoices.creditNotes.create(id, body, options),
    t('credited'),
  );
  return (
    <>
      <Button onClick={act.open} {...useUnderWay(invoice)}>
        {t('credit')}
      </Button>
      <ConfirmDialog
        {...words}
        open={act.isOpen}
        onClose={act.close}
        title={t('creditTitle', { number })}
        confirmLabel={t('credit')}
        pending={act.isPending}
        error={act.error}
        onConfirm={() => void act.submit(fields.values)}
      >
        <p>{t('creditText')}</p>
        <AmountAndReason fields={fields} currency={currency} errors={act.errors} />
        {fields.values.amount === '' ? null : (
          <Postings invoiceId={id} of="credit_note" amount={fields.values.amount} />
        )}
      </ConfirmDialog>
    </>
  );
}

function RefundPayment({ invoice, paymentId }: Props & { paymentId: string }) {
  const t = useOperatorInvoicesText();
  const words = useDialogWords();
  const format = useFormat();
  const { id, number, currency, total } = invoice;
  const fields = useAmountAndReason();
  const act = useInvoiceAction(
    invoice,
    (body: { amount: string; reason: string }, options) =>
      paydesk().operator.payments.refunds.create(paymentId, body, options),
    t('refunded'),
  );
  return (
    <>
      <Button onClick={act.open}>{t('refund')}</Button>
      <ConfirmDialog
        {...words}
        open={act.isOpen}
        onClose={act.close}
        title={t('refundTitle', { number })}
        confirmLabel={t('refund')}
        tone="danger"
        pending={act.isPending}
        error={act.error}
        onConfirm={() => void act.submit(fields.values)}
      >
        <p>{t('refundText', { amount: format.money(total, currency) })}</p>
        <AmountAndReason fields={fields} currency={currency} errors={act.errors} />
        {fields.values.amount === '' ? null : <Postings invoiceId={id} of="refund" amount={fields.values.amount} />}
      </ConfirmDialog>
    </>
  );
}

function useAmountAndReason() {
  const [values, setValues] = useState({ amount: '', reason: '' });
  const change = (changed: Partial<typeof values>) => setValues({ ...values, ...changed });
  return { values, change };
}

type FieldsProps = {
  fields: ReturnType<typeof useAmountAndReason>;
  currency: string;
  errors: Readonly<Record<string, string>>;
};

function AmountAndReason({ fields, currency, errors }: FieldsProps) {
  const t = useOperatorInvoicesText();
  const words = useListsText();
  const { values, change } = fields;
  return (
    <>
      <TextField
        label={t('amount', { currency })}
        inputMode="decimal"
        required
        error={errors.amount}
        value={values.amount}
        onChange={(amount) => change({ amount: amount.trim() })}
      />
      <TextField
        label={words('words.reason')}
        value={values.reason}
        onChange={(reason) => change({ reason })}
        required
        error={errors.reason}
      />
    </>
  );
}

function useDialogWords() {
  const forms = useFormsText();
  return { cancelLabel: forms('cancel'), closeLabel: forms('close') };
}
