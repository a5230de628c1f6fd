import type { ContentDocument } from '../../../contract/content.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { ContentIcon } from '../../ui/content-icon.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './academy-section.module.css'

/** The section about the Academy, a programme for creators with fewer than 100 subscribers. */
export function AcademySection({ academy: { title, text, points } }: { academy: ContentDocument<'academy'> }) {
  return (
    <section className={styles.academy} aria-labelledby="academy">
      <h2 id="academy" className={classNames(typeStyles.head, typeStyles.d2)}>
        {title}
      </h2>
      <p className={typeStyles.muted}>{text}</p>
      <div className={styles.scale} aria-hidden="true">
        <span className={styles.bar} />
        <span className={typeStyles.legend}>0</span>
        <span className={typeStyles.legend}>100 subscribers</span>
      </div>
      <ul className={styles.points}>
        {points.map((point) => (
          <li key={point.title} className={styles.point}>
            <span className={styles.icon}>
              <ContentIcon name={point.icon} />
            </span>
            <div>
              <h3 className={styles.name}>{point.title}</h3>
              <p className={typeStyles.muted}>{point.text}</p>
            </div>
          </li>
        ))}
      </ul>
      <Button to="/get-in-touch?topic=apply-academy">Apply to the Academy</Button>
    </section>
  )
}
