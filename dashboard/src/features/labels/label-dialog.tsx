import type { Label } from '@paydesk/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../api/may.ts';
import { paydesk, useSession } from '../../api/session.ts';
import { useFormsText } from '../../forms/text.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { useListsText } from '../../lists/text.ts';
import { Button } from '../../ui/button/button.tsx';
import { ColorField } from '../../ui/color-field/color-field.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Form } from '../../ui/form/form.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { useLabelsText } from './text.ts';

const SWATCHES = {
  red: '#dc2626',
  orange: '#ea580c',
  green: '#15803d',
  blue: '#2563eb',
  violet: '#7c3aed',
  grey: '#64748b',
} as const;

export function CreateLabel() {
  const t = useLabelsText();
  const may = useMay();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        variant="primary"
        disabledReason={may('application.labels.all') ? undefined : t('mayNot')}
        onClick={() => setIsOpen(true)}
      >
        {t('create')}
      </Button>
      {isOpen ? <LabelDialog onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

export function EditLabel({ label }: { label: Label }) {
  const t = useLabelsText();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="small" variant="quiet" onClick={() => setIsOpen(true)} aria-label={`${t('edit')}: ${label.name}`}>
        {t('edit')}
      </Button>
      {isOpen ? <LabelDialog label={label} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

/** Creates a label, or changes the one that is given. */
function LabelDialog({ label, onClose }: { label?: Label; onClose: () => void }) {
  const t = useLabelsText();
  const words = useListsText();
  const forms = useFormsText();
  const [color, setColor] = useState(label?.color ?? SWATCHES.blue);
  const [name, setName] = useState(label?.name ?? '');
  const { submit, isPending, errors, message } = useSave(label, onClose);
  return (
    <Dialog open onClose={onClose} title={label === undefined ? t('create') : t('edit')} closeLabel={forms('close')}>
      <Form
        errors={errors}
        message={message}
        onSubmit={({ description }) => void submit({ name, description: String(description ?? ''), color })}
        actions={
          <Button type="submit" variant="primary" pending={isPending}>
            {label === undefined ? t('create') : t('save')}
          </Button>
        }
      >
        <TextField
          label={words('words.name')}
          name="name"
          value={name}
          onChange={setName}
          maxLength={255}
          required
          autoComplete="off"
        />
        <TextField
          label={t('about')}
          name="description"
          defaultValue={label?.description}
          maxLength={2000}
          required={label === undefined}
          autoComplete="off"
        />
        <ColorField
          label={t('color')}
          name="color"
          value={color}
          onChange={setColor}
          required
          swatches={Object.entries(SWATCHES).map(([key, value]) => ({
            value,
            label: t(`colors.${key as keyof typeof SWATCHES}`),
          }))}
          swatchesLabel={t('swatches')}
          previewText={name || t('preview')}
          contrastLabel={(ratio) => t('contrast', { ratio: ratio.toFixed(1) })}
        />
      </Form>
    </Dialog>
  );
}

type Draft = Pick<Label, 'name' | 'description' | 'color'>;

function useSave(label: Label | undefined, onClose: () => void) {
  const queries = useQueryClient();
  const userName = useSession()?.name ?? '';
  return useSubmit(
    (draft: Draft, options) =>
      label === undefined
        ? paydesk().labels.create({ ...draft, userName }, options)
        : paydesk().labels.update(label.id, { ...draft, userName }, options),
    {
      onDone: () => {
        void queries.invalidateQueries({ queryKey: ['labels'] });
        onClose();
      },
    },
  );
}
