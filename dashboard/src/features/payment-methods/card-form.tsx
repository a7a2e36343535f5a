import type { Address, Card } from '@paydesk/client';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { paydesk } from '../../api/session.ts';
import { brandOf, groupCardNumber, readExpiry, writeExpiry } from '../../format/card.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { Button } from '../../ui/button/button.tsx';
import { Checkbox } from '../../ui/checkbox/checkbox.tsx';
import { FieldRow, Form } from '../../ui/form/form.tsx';
import { Select } from '../../ui/select/select.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { AddressFields, addressLine, readAddress } from './address-fields.tsx';
import styles from './payment-methods.module.css';
import { addressesQuery } from './queries.ts';
import { useMethodsText } from './text.ts';

const NEW_ADDRESS = 'new';

type Fields = Record<string, FormDataEntryValue>;

type Props = {
  onSaved: (card: Card) => void;
  /** Beside the button that saves. */
  cancel: ReactNode;
  /** The card becomes the default without asking, such as before it pays. */
  isDefault?: true;
};

/** Saves a card. Its number and code are in the fields alone, and gone with them. */
export function CardForm({ onSaved, cancel, isDefault }: Props) {
  const t = useMethodsText();
  const { data: addresses } = useSuspenseQuery(addressesQuery);
  const [addressId, setAddressId] = useState(addresses[0]?.id ?? NEW_ADDRESS);
  const [isExpiryWrong, setIsExpiryWrong] = useState(false);
  const { submit, isPending, errors, message } = useSaveCard({ addresses, addressId, setAddressId, onSaved });
  const send = (fields: Fields) => {
    const expiry = readExpiry(String(fields.expiry));
    setIsExpiryWrong(expiry === null);
    if (expiry !== null) void submit({ fields, expiry, isDefault: isDefault ?? fields.isDefault === 'on' });
  };
  const expiryError = isExpiryWrong ? t('card.wrongExpiry') : (errors['info.expMonth'] ?? errors['info.expYear']);
  return (
    <Form
      errors={errors}
      message={message ?? errors['info.country']}
      onSubmit={send}
      actions={
        <>
          <Button type="submit" variant="primary" pending={isPending}>
            {t('card.add')}
          </Button>
          {cancel}
        </>
      }
    >
      <CardFields expiryError={expiryError} />
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
      {isDefault === true ? null : <Checkbox label={t('card.default')} name="isDefault" defaultChecked />}
    </Form>
  );
}

/** What stands on the card. */
function CardFields({ expiryError }: { expiryError?: string }) {
  const t = useMethodsText();
  const [number, setNumber] = useState('');
  const [expiry, setExpiry] = useState('');
  const brand = brandOf(number);
  return (
    <>
      <TextField label={t('card.name')} name="info.cardName" autoComplete="cc-name" required />
      <TextField
        label={t('card.number')}
        name="info.cardNumber"
        autoComplete="cc-number"
        inputMode="numeric"
        required
        value={number}
        onChange={(typed) => setNumber(groupCardNumber(typed))}
        suffix={brand === null ? undefined : <span className={styles.brand}>{brand}</span>}
      />
      <FieldRow>
        <TextField
          label={t('card.expiry')}
          name="expiry"
          autoComplete="cc-exp"
          inputMode="numeric"
          required
          value={expiry}
          onChange={(typed) => setExpiry(writeExpiry(typed, expiry))}
          error={expiryError}
        />
        <TextField
          label={t('card.code')}
          name="info.cvv"
          autoComplete="cc-csc"
          inputMode="numeric"
          maxLength={4}
          required
        />
      </FieldRow>
    </>
  );
}

type Input = { fields: Fields; expiry: { expMonth: number; expYear: number }; isDefault: boolean };

function useSaveCard({
  addresses,
  addressId,
  setAddressId,
  onSaved,
}: {
  addresses: readonly Address[];
  addressId: string;
  setAddressId: (id: string) => void;
  onSaved: (card: Card) => void;
}) {
  const queryClient = useQueryClient();
  return useSubmit(
    async ({ fields, expiry, isDefault }: Input, options) => {
      let address = addresses.find(({ id }) => id === addressId);
      if (address === undefined) {
        address = await paydesk().addresses.create(readAddress(fields));
        // If the card is refused now, the next try uses this address.
        await queryClient.invalidateQueries({ queryKey: ['addresses'] });
        setAddressId(address.id);
      }
      const card = await paydesk().cards.create(
        {
          addressId: address.id,
          isDefault,
          info: {
            cardName: String(fields['info.cardName']),
            cardNumber: String(fields['info.cardNumber']),
            cvv: String(fields['info.cvv']),
            country: address.country,
            ...expiry,
          },
        },
        options,
      );
      await queryClient.invalidateQueries({ queryKey: ['cards'] });
      await queryClient.invalidateQueries({ queryKey: ['overview'] });
      return card;
    },
    { onDone: onSaved },
  );
}
