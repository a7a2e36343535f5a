import { paydesk, rememberKind } from '../../api/session.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { Button } from '../../ui/button/button.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { useCompanyText } from './text.ts';

/** Opens the company's own pages, for reading only. The audit log has an entry of it. */
export function ViewAsCompany({ companyId }: { companyId: string }) {
  const t = useCompanyText();
  const toast = useToast();
  const { submit, isPending } = useSubmit(
    (_: undefined, options) => paydesk().operator.companies.view(companyId, options),
    {
      onDone: () => {
        rememberKind('view');
        location.assign('/app');
      },
      onFailure: ({ message }) => toast.add({ title: message ?? '', tone: 'danger' }),
    },
  );
  return (
    <Button pending={isPending} onClick={() => void submit(undefined)}>
      {t('view')}
    </Button>
  );
}
