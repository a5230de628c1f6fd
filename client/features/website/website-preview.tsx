import { socialFields, socialLabels, type WebsiteTexts } from '../../../contract/website-rules.ts'
import { Banner } from '../../ui/banner.tsx'
import { classNames } from '../../ui/class-names.ts'
import { SocialIcon } from '../../ui/social-icon.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './website-page.module.css'

interface WebsitePreviewProps {
  texts: WebsiteTexts
  /** The domain name under which the server has the banner. */
  savedName: string
  bannerVersion: number
}

/** Shows the head of a website with the texts in the form. The banner is the one that is saved on the server. */
export function WebsitePreview({ texts, savedName, bannerVersion }: WebsitePreviewProps) {
  return (
    <section className={styles.preview} aria-label="Preview">
      <Banner domainName={savedName} version={bannerVersion} className={styles.banner} />
      <div className={styles.words}>
        <p className={classNames(typeStyles.head, typeStyles.d2)} dir="auto">
          {texts.name}
        </p>
        {texts.subtitle !== '' && (
          <p className={typeStyles.muted} dir="auto">
            {texts.subtitle}
          </p>
        )}
        <ul className={classNames(styles.labels, typeStyles.muted)}>
          {socialFields
            .filter((field) => texts[field] !== '')
            .map((field) => (
              <li key={field} className={styles.label}>
                <SocialIcon site={field} size="s" />
                {socialLabels[field]}
              </li>
            ))}
        </ul>
      </div>
    </section>
  )
}
