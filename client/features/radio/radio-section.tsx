import { useSite } from '../../hooks/services.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { NearViewport } from '../../ui/near-viewport.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './radio-section.module.css'

// The widget and the radio's player are an on-demand chunk.
const RadioWidget = lazyWithRetry(() => import('./radio-widget.tsx').then((module) => module.RadioWidget))

/** The section of the radio. Its widget is loaded when it is about to be scrolled into view. */
export function RadioSection() {
  const { radio_url } = useSite()
  return (
    <section id="radio" className={styles.section}>
      <div className={typeStyles.wrap}>
        <SectionHeading
          endContent={
            <a className={typeStyles.link} href={radio_url}>
              Open the radio
            </a>
          }
        >
          Radio
        </SectionHeading>
        <div className={styles.room}>
          <NearViewport className={styles.place}>
            <RadioWidget />
          </NearViewport>
        </div>
      </div>
    </section>
  )
}
