import type { SellerBody } from '@paydesk/client';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { paydesk } from '../../api/session.ts';
import { useFormsText } from '../../forms/text.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { Page } from '../../shell/page.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Form, FormSection } from '../../ui/form/form.tsx';
import { TextArea } from '../../ui/text-field/text-area.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { useSellerText } from './text.ts';

type Fields = Record<string, FormDataEntryValue>;

/** Who issues the invoices. */
export function SellerPage() {
  const t = useSellerText();
  const forms = useFormsText();
  const toast = useToast();
  const queries = useQueryClient();
  const { data: seller } = useSuspenseQuery({
    queryKey: ['seller'],
    queryFn: ({ signal }) => paydesk().operator.seller.get({ signal }),
  });
  const { submit, isPending, errors, message } = useSubmit(
    (fields: Fields, options) => paydesk().operator.seller.update(toBody(fields), options),
    {
      onDone: (saved) => {
        queries.setQueryData(['seller'], saved);
        void queries.invalidateQueries({ queryKey: ['operator-overview'] });
        toast.add({ title: t('saved') });
      },
    },
  );
  return (
    <Page title={t('title')} description={t('description')}>
      <Form
        errors={errors}
        message={message}
        onSubmit={(fields) => void submit(fields)}
        actions={
          <Button type="submit" variant="primary" pending={isPending}>
            {forms('save')}
          </Button>
        }
      >
        <FormSection title={t('title')}>
          <TextField label={t('name')} name="name" defaultValue={seller.name} />
          <TextArea label={t('address')} name="addressLines" defaultValue={seller.addressLines.join('\n')} rows={4} />
          <TextField label={t('taxId')} name="taxId" defaultValue={seller.taxId} />
          <TextField label={t('email')} name="email" type="email" defaultValue={seller.email} />
        </FormSection>
        <FormSection title={t('onInvoice')}>
          <TextArea label={t('footer')} name="footerText" defaultValue={seller.footerText} />
          <TextArea label={t('legal')} name="legalNote" defaultValue={seller.legalNote} />
        </FormSection>
      </Form>
    </Page>
  );
}

function toBody(fields: Fields): SellerBody {
  const text = (name: string) => String(fields[name] ?? '').trim();
  const addressLines = text('addressLines')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return {
    name: text('name'),
    addressLines,
    taxId: text('taxId'),
    email: text('email'),
    footerText: text('footerText'),
    legalNote: text('legalNote'),
  };
}
