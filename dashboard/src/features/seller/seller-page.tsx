import type { SellerBody } from '@paydesk/client';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { useFormsText } from '../../forms/text.ts';
import { useLacksRole } from '../../forms/use-lacks-role.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { useUnsaved } from '../../forms/use-unsaved.ts';
import { Page } from '../../shell/page.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Card } from '../../ui/card/card.tsx';
import { Form } from '../../ui/form/form.tsx';
import { TextArea } from '../../ui/text-field/text-area.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { SellerPreview, useSellerPreview } from './preview.tsx';
import styles from './seller.module.css';
import { useSellerText } from './text.ts';

const NAMES = ['name', 'addressLines', 'taxId', 'email', 'footerText', 'legalNote'] as const;
/** The fields as somebody types them; the address has its lines. */
type Draft = Record<(typeof NAMES)[number], string>;

/** Who issues the invoices, beside a sample of one. */
export function SellerPage() {
  const t = useSellerText();
  const forms = useFormsText();
  const toast = useToast();
  const queries = useQueryClient();
  const reason = useLacksRole('finance');
  const { data: seller } = useSuspenseQuery({
    queryKey: ['seller'],
    queryFn: ({ signal }) => paydesk().operator.seller.get({ signal }),
  });
  const saved = { ...seller, addressLines: seller.addressLines.join('\n') };
  const [changed, setChanged] = useState<Partial<Draft>>({});
  const draft: Draft = { ...saved, ...changed };
  useUnsaved(NAMES.some((name) => draft[name] !== saved[name]));
  const preview = useSellerPreview(toBody(draft), reason === undefined);
  const { submit, isPending, errors, message } = useSubmit(
    (body: SellerBody, options) => paydesk().operator.seller.update(body, options),
    {
      onDone: (now) => {
        setChanged({});
        queries.setQueryData(['seller'], now);
        void queries.invalidateQueries({ queryKey: ['operator-overview'] });
        toast.add({ title: t('saved') });
      },
    },
  );
  const field = (name: keyof Draft) => ({
    name,
    value: draft[name],
    onChange: (value: string) => setChanged((before) => ({ ...before, [name]: value })),
  });
  return (
    <Page title={t('title')} description={t('description')}>
      <div className={styles.columns}>
        <Card>
          <Form
            errors={{ ...toFields(preview.errors), ...toFields(errors) }}
            message={message}
            onSubmit={() => void submit(toBody(draft))}
            actions={
              <Button type="submit" variant="primary" pending={isPending} disabledReason={reason}>
                {forms('save')}
              </Button>
            }
          >
            <TextField label={t('name')} {...field('name')} />
            <TextArea label={t('address')} {...field('addressLines')} rows={4} />
            <TextField label={t('taxId')} {...field('taxId')} />
            <TextField label={t('email')} {...field('email')} type="email" />
            <TextArea label={t('footer')} {...field('footerText')} />
            <TextArea label={t('legal')} {...field('legalNote')} />
          </Form>
        </Card>
        {reason === undefined ? <SellerPreview preview={preview} /> : null}
      </div>
    </Page>
  );
}

function toBody({ addressLines, ...draft }: Draft): SellerBody {
  const { name, taxId, email, footerText, legalNote } = draft;
  const lines = addressLines.split('\n').map((line) => line.trim());
  return { name, taxId, email, footerText, legalNote, addressLines: lines.filter((line) => line !== '') };
}

/** An error of one line of the address stands at the field that has all of them. */
function toFields(errors: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).map(([name, text]) => [name.replace(/\[.*$/, ''), text]));
}
