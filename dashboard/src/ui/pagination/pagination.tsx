import { ChevronLeft, ChevronRight } from 'lucide-react';
import { IconButton } from '../button/icon-button.tsx';
import styles from './pagination.module.css';

type Props = {
  page: number;
  pages: number;
  pageLabel: string;
  previousLabel: string;
  nextLabel: string;
  onPage: (page: number) => void;
};

/** The way to the next and the previous page of a list. */
export function Pagination({ page, pages, pageLabel, previousLabel, nextLabel, onPage }: Props) {
  return (
    <nav className={styles.pagination} aria-label={pageLabel}>
      <IconButton
        label={previousLabel}
        icon={<ChevronLeft aria-hidden="true" />}
        disabled={page <= 1}
        focusableWhenDisabled
        onClick={() => onPage(page - 1)}
      />
      <span>{pageLabel}</span>
      <IconButton
        label={nextLabel}
        icon={<ChevronRight aria-hidden="true" />}
        disabled={page >= pages}
        focusableWhenDisabled
        onClick={() => onPage(page + 1)}
      />
    </nav>
  );
}
