import { useState } from 'react';
import { Button } from '../button/button.tsx';
import { ColorField } from '../color-field/color-field.tsx';
import { Combobox } from '../combobox/combobox.tsx';
import { DateField } from '../date-field/date-field.tsx';
import { FilterSelect } from '../filter-select/filter-select.tsx';
import { FilterText } from '../filter-text/filter-text.tsx';
import { FieldRow, Form, FormSection } from '../form/form.tsx';
import { NumberField } from '../number-field/number-field.tsx';
import { SearchField } from '../search-field/search-field.tsx';
import { Select } from '../select/select.tsx';
import { PasswordField } from '../text-field/password-field.tsx';
import { TextArea } from '../text-field/text-area.tsx';
import { TextField } from '../text-field/text-field.tsx';
import { Group, Row } from './group.tsx';

const COUNTRIES = ['Austria', 'Belgium', 'France', 'Germany', 'Spain', 'Switzerland'].map((label) => ({
  value: label.toLowerCase(),
  label,
}));

const SWATCHES = [
  { value: '#4f46e5', label: 'Indigo' },
  { value: '#0e8a8a', label: 'Teal' },
  { value: '#facc15', label: 'Yellow' },
  { value: '#c52532', label: 'Red' },
];

const STATUSES = ['All', 'Due', 'Overdue', 'Paid'].map((label) => ({ value: label, label }));

export function Fields() {
  return (
    <Group title="Forms">
      <Form
        onSubmit={() => undefined}
        errors={{ email: 'Enter an e-mail address, such as ada@example.com.' }}
        message="The company could not be saved."
        actions={
          <>
            <Button variant="primary" type="submit">
              Save
            </Button>
            <Button variant="quiet">Discard</Button>
          </>
        }
      >
        <FormSection title="Billing information" description="Stands on every invoice from now on.">
          <TextField label="Name" name="name" placeholder="Example Ltd" description="As in the register." />
          <TextField label="Email" name="email" type="email" defaultValue="ada@" autoComplete="off" />
          <PasswordField label="Password" name="password" showLabel="Show password" hideLabel="Hide password" />
          <FieldRow>
            <TextField label="Amount" prefix="$" suffix={<Currency />} defaultValue="57.60" inputMode="decimal" />
            <DateField label="Due" name="due" defaultValue="2026-03-31" />
          </FieldRow>
          <TextField label="External id" readOnly defaultValue="acme-7" />
          <TextArea label="Note" name="note" placeholder="For your records" />
          <Chosen />
        </FormSection>
      </Form>
      <Filters />
    </Group>
  );
}

function Currency() {
  return <span style={{ paddingInline: 'var(--space-3)' }}>USD</span>;
}

function Chosen() {
  const [country, setCountry] = useState('germany');
  const [colour, setColour] = useState('#4f46e5');
  return (
    <>
      <Select label="Country" name="country" options={COUNTRIES} value={country} onChange={setCountry} />
      <Select label="Card" name="card" options={COUNTRIES} placeholder="Choose a card" />
      <Combobox
        label="Country of the seller"
        options={COUNTRIES}
        value={country}
        onChange={setCountry}
        placeholder="Type to search"
        emptyLabel="No country is called that."
        openLabel="Show countries"
      />
      <NumberField label="Seats" defaultValue={12} min={1} decreaseLabel="Fewer" increaseLabel="More" suffix="seats" />
      <ColorField
        label="Colour"
        value={colour}
        onChange={setColour}
        swatches={SWATCHES}
        swatchesLabel="Colours"
        previewText="Production"
        contrastLabel={(ratio) => `Contrast ${ratio.toFixed(1)}:1`}
      />
    </>
  );
}

function Filters() {
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState('All');
  return (
    <Row>
      <SearchField label="Search invoices" value={search} onChange={setSearch} shortcut="/" />
      <FilterSelect label="Status" options={STATUSES} value={status} onChange={setStatus} />
      <FilterText label="From" type="date" value="2026-03-01" onChange={() => undefined} />
      <FilterText label="Amount" value="" onChange={() => undefined} inputMode="decimal" />
      <Button variant="quiet" size="small">
        Clear filters
      </Button>
    </Row>
  );
}
