import { useState } from 'react'
import type { Supporter } from '../../../contract/community.ts'
import { createWebsiteUrl } from '../../hooks/paths.ts'
import { useSite } from '../../hooks/services.tsx'
import { Button } from '../../ui/button.tsx'
import { Cover } from '../../ui/cover.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './supporters.module.css'

const SUPPORTERS_SHOWN_FIRST = 24

/** The channels that support the site, with links to their websites. */
export function Supporters({ supporters }: { supporters: readonly Supporter[] }) {
  const { main_url } = useSite()
  const [shownSupporterCount, setShownSupporterCount] = useState(SUPPORTERS_SHOWN_FIRST)
  return (
    <section aria-labelledby="supporters">
      <SectionHeading
        id="supporters"
        endContent={
          <a className={typeStyles.link} href="/subscribe">
            Become a supporter
          </a>
        }
      >
        Supporters
      </SectionHeading>
      <ul className={styles.list} aria-labelledby="supporters">
        {supporters.slice(0, shownSupporterCount).map(({ domain_name, name, profile_pic }) => (
          <li key={domain_name}>
            <a className={styles.supporter} href={createWebsiteUrl(main_url, domain_name)} target="_blank" rel="noopener noreferrer">
              <Cover src={profile_pic} ratio="square" width={44} alt="" className={styles.picture} />
              <span className={styles.name} dir="auto">
                {name}
              </span>
            </a>
          </li>
        ))}
      </ul>
      {shownSupporterCount < supporters.length && (
        <Button onClick={() => setShownSupporterCount(supporters.length)}>Show all supporters</Button>
      )}
    </section>
  )
}
