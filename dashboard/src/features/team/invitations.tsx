import type { Invitation } from '@paydesk/client';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { paydesk } from '../../api/session.ts';
import { Instant } from '../../format/values.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
import { useListsText } from '../../lists/text.ts';
import { Button } from '../../ui/button/button.tsx';
import { Card } from '../../ui/card/card.tsx';
import { Table, TableRow, Td, Th } from '../../ui/table/table.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { useTeamText } from './text.ts';

/** Who is invited and has not joined yet. */
export function Invitations({ mayChange }: { mayChange: boolean }) {
  const t = useTeamText();
  const words = useListsText();
  const { data: invitations } = useSuspenseQuery({
    queryKey: ['invitations'],
    queryFn: async ({ signal }) => (await paydesk().company.invitations.list({ per_page: 100 }, { signal })).data,
  });
  return (
    <Card title={t('invitations')}>
      {invitations.length === 0 ? (
        <p>{t('noInvitations')}</p>
      ) : (
        <Table caption={t('invitations')}>
          <thead>
            <tr>
              <Th>{words('words.email')}</Th>
              <Th>{words('words.role')}</Th>
              <Th>{t('expires')}</Th>
              {mayChange ? <Th>{t('actions')}</Th> : null}
            </tr>
          </thead>
          <tbody>
            {invitations.map((invitation) => (
              <TableRow key={invitation.id}>
                <Td label={words('words.email')}>{invitation.email}</Td>
                <Td label={words('words.role')}>{invitation.role.name}</Td>
                <Td label={t('expires')}>
                  <Instant value={invitation.expires_at} as="date" />
                </Td>
                {mayChange ? (
                  <Td label={t('actions')}>
                    <InvitationActions invitation={invitation} />
                  </Td>
                ) : null}
              </TableRow>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  );
}

function InvitationActions({ invitation: { id, email } }: { invitation: Invitation }) {
  const t = useTeamText();
  const toast = useToast();
  const queries = useQueryClient();
  const told = (title: string) => ({
    onDone: () => {
      toast.add({ title });
      void queries.invalidateQueries({ queryKey: ['invitations'] });
    },
    onFailure: ({ message }: { message?: string }) => void toast.add({ title: message ?? '', tone: 'danger' as const }),
  });
  const { invitations } = paydesk().company;
  const resending = useSubmit((_: undefined, options) => invitations.resend(id, options), told(t('resent')));
  const withdrawing = useSubmit((_: undefined, options) => invitations.delete(id, options), told(t('withdrawn')));
  return (
    <>
      <Button
        size="small"
        pending={resending.isPending}
        onClick={() => void resending.submit(undefined)}
        aria-label={`${t('resend')}: ${email}`}
      >
        {t('resend')}
      </Button>{' '}
      <Button
        size="small"
        variant="quiet"
        pending={withdrawing.isPending}
        onClick={() => void withdrawing.submit(undefined)}
        aria-label={`${t('withdraw')}: ${email}`}
      >
        {t('withdraw')}
      </Button>
    </>
  );
}
