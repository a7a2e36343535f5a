import { Actions } from './actions.tsx';
import { Choices } from './choices.tsx';
import { Facts } from './facts.tsx';
import { Fields } from './fields.tsx';
import styles from './gallery.module.css';
import { Overlays } from './overlays.tsx';
import { States } from './states.tsx';
import { Tables } from './tables.tsx';

const THEMES = ['light', 'dark'] as const;

/** Every control in every state, in both themes beside each other. It is a page of development: its texts are not translated. */
export function Gallery() {
  return (
    <main className={styles.gallery}>
      <h1 className={styles.title}>Gallery</h1>
      <div className={styles.themes}>
        {THEMES.map((theme) => (
          <div key={theme} data-theme={theme} className={styles.theme}>
            <Actions />
            <Fields />
            <Choices />
            <Facts />
            <Tables />
            <States />
            <Overlays />
          </div>
        ))}
      </div>
    </main>
  );
}
