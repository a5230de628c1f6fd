import { useMemo } from 'react'
import { renderSVG } from 'uqr'
import type { Website } from '../../../contract/website.ts'
import { type ClickTarget, socialLabels } from '../../../contract/website-rules.ts'
import listStyles from '../../components/account-lists.module.css'
import { formatCount } from '../../ui/format.ts'
import { SectionHeading } from '../../ui/section-heading.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './website-page.module.css'

const targetLabels: Partial<Record<ClickTarget, string>> = {
  visit: 'Visits',
  video: 'Songs played',
  playlist: 'Playlists opened',
  radio: 'Radio opened',
  mail: 'Contact email',
  ...socialLabels,
}

/** Returns the label of a click target. The label of one of the owner's links is the link's title. */
function labelTarget(target: ClickTarget, { links }: Website): string {
  const link = links.find(({ id }) => id === target)
  return link?.title ?? targetLabels[target] ?? target
}

/** Renders the QR code of a website's address, and how often visitors used each link, song and other target in the last 30 days. */
export function WebsiteQrCodeAndClicks({ website }: { website: Website }) {
  const qrCodeUrl = useMemo(() => `data:image/svg+xml,${encodeURIComponent(renderSVG(website.url, { border: 2 }))}`, [website.url])
  return (
    <section aria-labelledby="reach-heading">
      <SectionHeading id="reach-heading" size="small">
        Visitors
      </SectionHeading>
      <div className={styles.reach}>
        <a className={styles.code} href={qrCodeUrl} download={`${website.domain_name}-qr.svg`}>
          <img src={qrCodeUrl} alt={`QR code of ${website.url}. Press to save it.`} width={144} height={144} />
        </a>
        <div className={styles.side}>
          <p className={typeStyles.muted}>
            The last 30 days. Only these counts are stored, nothing about your visitors, and only you see them.
          </p>
          {website.clicks.length === 0 ? (
            <p className={typeStyles.muted}>No visits yet.</p>
          ) : (
            <ul className={listStyles.list}>
              {website.clicks.map(({ target, count }) => (
                <li key={target}>
                  <span dir="auto">{labelTarget(target, website)}</span>
                  <span className={typeStyles.mono}>{formatCount(count)}</span>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    </section>
  )
}
