import { Form as Base } from '@base-ui/react/form';
import type { ReactNode } from 'react';
import { Banner } from '../banner/banner.tsx';
import styles from './form.module.css';

type Props = {
  onSubmit: (fields: Record<string, FormDataEntryValue>) => void;
  /** The texts for the fields, by their names. */
  errors?: Record<string, string>;
  /** What is wrong with the whole form. */
  message?: ReactNode;
  actions: ReactNode;
  children: ReactNode;
  id?: string;
};

/** A form that the page sends: its fields, what is wrong with them, and its buttons. */
export function Form({ onSubmit, errors, message, actions, children, id }: Props) {
  return (
    <Base
      id={id}
      className={styles.form}
      errors={errors}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(Object.fromEntries(new FormData(event.currentTarget)));
      }}
    >
      <div role="alert">{message === undefined ? null : <Banner tone="danger">{message}</Banner>}</div>
      {children}
      <div className={styles.actions}>{actions}</div>
    </Base>
  );
}

/** A part of a long form, with what it is for beside it. */
export function FormSection({
  title,
  description,
  children,
}: {
  title: string;
  description?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={styles.section}>
      <div>
        <h2 className={styles.title}>{title}</h2>
        {description === undefined ? null : <p className={styles.description}>{description}</p>}
      </div>
      <div className={styles.fields}>{children}</div>
    </section>
  );
}

/** Fields beside each other where there is room. */
export function FieldRow({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>;
}
