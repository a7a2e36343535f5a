import { choosableTypes } from '../../codes/event-types.ts';
import { useCodesText } from '../../codes/text.ts';
import { Checkbox } from '../../ui/checkbox/checkbox.tsx';
import { RadioGroup } from '../../ui/radio/radio-group.tsx';
import type { Owner } from './owner.ts';
import { useWebhooksText } from './text.ts';
import styles from './webhooks.module.css';

/** What an endpoint gets: null stands for all events, also of types that don't exist yet; `invoice.*` for a whole group. */
export type Chosen = readonly string[] | null;

type Props = { owner: Owner; chosen: Chosen; onChange: (chosen: Chosen) => void };

/** Chooses the events that an endpoint gets. */
export function EventChoice({ owner, chosen, onChange }: Props) {
  const t = useWebhooksText();
  const codes = useCodesText();
  return (
    <>
      <RadioGroup
        legend={t('types')}
        value={chosen === null ? 'all' : 'chosen'}
        onChange={(value) => onChange(value === 'all' ? null : [])}
        options={[
          { value: 'all', label: t('allTypes'), description: t('allTypesText') },
          { value: 'chosen', label: t('chosenTypes') },
        ]}
      />
      {chosen === null ? null : (
        <div className={styles.groups}>
          {choosableTypes(owner).map(([group, types]) => (
            <Group
              key={group}
              name={codes(`eventGroups.${group}`)}
              all={`${group}.*`}
              types={types.map((type) => ({ type, label: codes(`events.${type}`) }))}
              {...{ chosen, onChange }}
            />
          ))}
        </div>
      )}
    </>
  );
}

type GroupProps = {
  name: string;
  all: string;
  types: { type: string; label: string }[];
  chosen: readonly string[];
  onChange: (chosen: Chosen) => void;
};

/** The types of a group. Choosing all of them includes those of later versions. */
function Group({ name, all, types, chosen, onChange }: GroupProps) {
  const t = useWebhooksText();
  const isAll = chosen.includes(all);
  const others = chosen.filter((one) => one !== all && types.every(({ type }) => type !== one));
  const own = types.map(({ type }) => type).filter((type) => chosen.includes(type));
  const toggle = (type: string, isChosen: boolean) =>
    onChange([...others, ...own.filter((one) => one !== type), ...(isChosen ? [type] : [])]);
  return (
    <fieldset className={styles.group}>
      <legend className={styles.name}>{name}</legend>
      {types.length === 1 ? null : (
        <Checkbox
          label={t('allOf', { group: name })}
          checked={isAll}
          onChange={(isChosen) => onChange([...others, ...(isChosen ? [all] : [])])}
        />
      )}
      {types.map(({ type, label }) => (
        <Checkbox
          key={type}
          label={label}
          checked={isAll || own.includes(type)}
          disabled={isAll && types.length > 1}
          onChange={(isChosen) => toggle(type, isChosen)}
        />
      ))}
    </fieldset>
  );
}
