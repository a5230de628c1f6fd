import { Icon } from './icon.tsx'
import styles from './offer-list.module.css'
import typeStyles from './type.module.css'

interface Offer {
  label: string
  to: string
  /** It was kept by choice. */
  kept: boolean
}

/** Ways on from a page that cannot be shown: what is there without a connection. Nothing where there is nothing. */
export function OfferList({ title, offers }: { title: string; offers: readonly Offer[] }) {
  if (offers.length === 0) return null
  return (
    <section className={styles.offers}>
      <h2 className={`${typeStyles.head} ${typeStyles.d1}`}>{title}</h2>
      <ul className={styles.list}>
        {offers.map(({ label, to, kept }) => (
          <li key={to}>
            <a className={styles.link} href={to}>
              <span className={styles.label}>{label}</span>
              {kept && <span className={typeStyles.legend}>Kept offline</span>}
              <Icon name="chevron-right" size="s" className={styles.arrow} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
