import type { Address, Card } from '@paydesk/client';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { type ComponentType, lazy, type ReactNode, type Ref, useRef, useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { FormError, useSubmit } from '../../forms/use-submit.ts';
import { serviceFacts } from '../../shell/service-facts.ts';
import { Banner } from '../../ui/banner/banner.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Checkbox } from '../../ui/checkbox/checkbox.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Select } from '../../ui/select/select.tsx';
import { AddressFields, addressLine, readAddress } from './address-fields.tsx';
import type { CardFieldsHandle, Fields } from './card/take-card.ts';
import styles from './payment-methods.module.css';
import { addressesQuery } from './queries.ts';
import { useMethodsText } from './text.ts';

const NEW_ADDRESS = 'new';

type CardFields = ComponentType<{ ref: Ref<CardFieldsHandle> }>;

/** The fields of a card, by how the service saves one. */
const FIELDS: Record<'sandbox' | 'stripe' | 'numbers', CardFields> = {
  sandbox: lazy(() => import('./card/sandbox-fields.tsx').then((module) => ({ default: module.SandboxFields }))),
  stripe: lazy(() => import('./card/stripe-fields.tsx').then((module) => ({ default: module.StripeFields }))),
  numbers: lazy(() => import('./card/number-fields.tsx').then((module) => ({ default: module.NumberFields }))),
};

/** The same of an account for direct debits, where the gateway has fields. */
const MANDATE_FIELDS = {
  sandbox: lazy(() =>
    import('./card/sandbox-mandate-fields.tsx').then((module) => ({ default: module.SandboxMandateFields })),
  ),
  stripe: lazy(() => import('./card/stripe-fields.tsx').then((module) => ({ default: module.StripeMandateFields }))),
};

type Props = {
  onSaved: (card: Card) => void;
  /** Beside the button that saves. */
  cancel: ReactNode;
  /** The card becomes the default without asking, such as before it pays. */
  isDefault?: true;
};

/** Saves a card: in the gateway's own fields where it has them, else by its number. */
export function CardForm(props: Props) {
  const t = useMethodsText();
  const { cards } = serviceFacts();
  if (cards !== 'none') return <SaveCard {...props} ofCard={FIELDS[cards]} words="card" />;
  return (
    <Form onSubmit={() => undefined} actions={props.cancel}>
      <Banner tone="warning">{t('card.cantBeAdded')}</Banner>
    </Form>
  );
}

/** Saves an account from which invoices are debited, with the mandate of its holder. */
export function MandateForm(props: Props) {
  const ofCard = MANDATE_FIELDS[serviceFacts().cards as keyof typeof MANDATE_FIELDS];
  return <SaveCard {...props} ofCard={ofCard} words="mandate" />;
}

type SaveProps = Props & { ofCard: CardFields; words: 'card' | 'mandate' };

function SaveCard({ ofCard: OfCard, words, onSaved, cancel, isDefault }: SaveProps) {
  const t = useMethodsText();
  const { data: addresses } = useSuspenseQuery(addressesQuery);
  const [addressId, setAddressId] = useState(addresses[0]?.id ?? NEW_ADDRESS);
  const card = useRef<CardFieldsHandle>(null);
  const { submit, isPending, errors, message } = useSaveCard({ card, addresses, addressId, setAddressId, onSaved });
  return (
    <Form
      errors={toFields(errors)}
      message={message ?? errors['info.country'] ?? errors['card.country']}
      onSubmit={(fields) => void submit({ fields, isDefault: isDefault ?? fields.isDefault === 'on' })}
      actions={
        <>
          <Button type="submit" variant="primary" pending={isPending}>
            {t(`${words}.add`)}
          </Button>
          {cancel}
        </>
      }
    >
      <OfCard ref={card} />
      <Select
        label={t('card.address')}
        value={addressId}
        onChange={setAddressId}
        options={[
          ...addresses.map((address) => ({ value: address.id, label: addressLine(address) })),
          { value: NEW_ADDRESS, label: t('card.newAddress') },
        ]}
      />
      {addressId === NEW_ADDRESS ? (
        <div className={styles.nested}>
          <AddressFields />
        </div>
      ) : null}
      {isDefault === true ? null : <Checkbox label={t(`${words}.default`)} name="isDefault" defaultChecked />}
    </Form>
  );
}

/** An error of the year stands at the field that has month and year. */
function toFields(errors: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).map(([name, text]) => [name.replace(/\.expYear$/, '.expMonth'), text]),
  );
}

type Saving = {
  card: { current: CardFieldsHandle | null };
  addresses: readonly Address[];
  addressId: string;
  setAddressId: (id: string) => void;
  onSaved: (card: Card) => void;
};

function useSaveCard({ card, addresses, addressId, setAddressId, onSaved }: Saving) {
  const t = useMethodsText();
  const queryClient = useQueryClient();
  return useSubmit(
    async ({ fields, isDefault }: { fields: Fields; isDefault: boolean }, options) => {
      let address = addresses.find(({ id }) => id === addressId);
      if (address === undefined) {
        address = await paydesk().addresses.create(readAddress(fields));
        // If the card is refused now, the next try uses this address.
        await queryClient.invalidateQueries({ queryKey: ['addresses'] });
        setAddressId(address.id);
      }
      if (card.current === null) throw new FormError(t('card.fieldsNotLoaded'));
      const taken = await card.current.take(fields, address, options.idempotencyKey);
      const saved = await paydesk().cards.create({ addressId: address.id, isDefault, ...taken }, options);
      await queryClient.invalidateQueries({ queryKey: ['cards'] });
      await queryClient.invalidateQueries({ queryKey: ['overview'] });
      return saved;
    },
    { onDone: onSaved, texts: { setup_not_confirmed: t('card.notConfirmed'), setup_used: t('card.savedBefore') } },
  );
}
