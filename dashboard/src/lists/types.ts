import type { ReactNode } from 'react';
import type { Option } from '../ui/select/select.tsx';

export type Column<Row> = {
  /** Unique in the table; the choice of columns is kept by it. */
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Numbers and money are aligned at the end, with tabular figures. */
  isNumeric?: true;
  /** Holds links or buttons of its own, which stay above the link of the row. */
  isActive?: true;
  /** The name by which the API sorts, if it does. */
  sort?: string;
  /** Not shown until the reader chooses it. */
  isOptional?: true;
};

/** A filter above the table. Its name is the API's, and stands in the address. */
export type Filter =
  | { kind: 'search'; name: string; label: string }
  | {
      kind: 'choice';
      name: string;
      label: string;
      options: readonly { value: string; label: string }[];
      /** What stands for no choice; "All" by default. */
      noneLabel?: string;
    }
  | {
      kind: 'found';
      name: string;
      label: string;
      /** Finds values by what is typed. */
      find: (text: string, signal: AbortSignal) => Promise<Option[]>;
      /** The name of a value that the address has. */
      nameOf: (value: string, signal: AbortSignal) => Promise<string>;
    }
  | { kind: 'text' | 'date' | 'month' | 'amount'; name: string; label: string };

/** A page of a list as the API answers it, by number or by cursor. */
export type ListAnswer<Row> = {
  data: readonly Row[];
  total?: number;
  page?: number;
  perPage?: number;
  current_page?: number;
  per_page?: number;
  nextCursor?: string | null;
};
