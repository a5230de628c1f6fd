import { pages } from '../../../contract/pages.ts'
import { useDocument } from '../../hooks/documents.ts'
import { useSite } from '../../hooks/services.tsx'
import { classNames } from '../../ui/class-names.ts'
import { ContentIcon } from '../../ui/content-icon.tsx'
import { formatLongDate } from '../../ui/format.ts'
import typeStyles from '../../ui/type.module.css'
import styles from './about-page.module.css'
import { DocumentPage } from './document-page.tsx'

/** Formats the date of a milestone: `2019-06-21` as `June 21, 2019`, `2018-03` as `March 2018`. */
const formatMilestoneDate = (date: string) =>
  date.length > 'YYYY-MM'.length ? formatLongDate(date) : formatLongDate(date).replace(' 1,', '')

/** The milestones of the brand, oldest first. */
export function AboutPage() {
  const loadedTimeline = useDocument('timeline')
  const { texts } = useSite()
  return (
    <DocumentPage heading={pages['/about-us'].heading} lead={texts.tagline} loaded={loadedTimeline}>
      {(milestones) => (
        <ol className={styles.timeline} aria-label="Timeline">
          {milestones.map(({ date, title, description, icon }) => (
            <li key={date + title} className={styles.milestone}>
              <time dateTime={date} className={classNames(typeStyles.mono, styles.date)}>
                {formatMilestoneDate(date)}
              </time>
              <span className={styles.node}>
                <ContentIcon name={icon} />
              </span>
              <div className={styles.words}>
                <h2 className={classNames(typeStyles.head, typeStyles.d1)}>{title}</h2>
                <p className={typeStyles.muted}>{description}</p>
              </div>
            </li>
          ))}
        </ol>
      )}
    </DocumentPage>
  )
}
