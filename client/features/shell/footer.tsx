import { drawBrandMarkPath } from '../../../contract/mark.ts'
import type { Site } from '../../../contract/site.ts'
import { InstallButton } from '../../components/install-button.tsx'
import { useSite } from '../../hooks/services.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Logo } from '../../ui/logo.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './footer.module.css'

const pageLinks = [
  { label: 'Playlists', url: '/playlists' },
  { label: 'Network', url: '/network' },
  { label: 'Privacy Policy', url: '/privacy' },
  { label: 'FAQ', url: '/faq' },
  { label: 'Recently played', url: '/recent' },
  { label: 'Storage', url: '/storage' },
  { label: 'Contact Us', url: '/get-in-touch' },
]

interface SocialLink {
  label: string
  url: string
  icon: IconName
}

const listSocialLinks = ({ settings }: Site): SocialLink[] =>
  (
    [
      { label: 'Discord', url: settings.SOCIAL_DISCORD, icon: 'discord' },
      { label: 'Instagram', url: settings.SOCIAL_INSTAGRAM, icon: 'instagram' },
      { label: 'X', url: settings.SOCIAL_X, icon: 'x' },
      { label: 'TikTok', url: settings.SOCIAL_TIKTOK, icon: 'tiktok' },
      ...settings.DONATE_LINKS.map((link) => ({ ...link, icon: 'gift' as const })),
    ] satisfies SocialLink[]
  ).filter((link) => link.url !== '')

const isExternalUrl = (url: string) => !url.startsWith('/')
const createExternalLinkProps = (url: string) => (isExternalUrl(url) ? { target: '_blank', rel: 'noopener noreferrer' } : {})

interface FooterProps {
  onShowShortcuts?: () => void
}

export function Footer({ onShowShortcuts }: FooterProps) {
  const site = useSite()
  const { NAME, LOGO, DOMAIN, FOOTER_LINKS } = site.settings
  const shownSocialLinks = listSocialLinks(site)
  return (
    <footer className={styles.footer}>
      <div className={classNames(typeStyles.wrap, styles.grid)}>
        <div className={styles.brand}>
          <Logo name={NAME} src={LOGO} svgPath={drawBrandMarkPath(site.hero.rate)} />
          <p className={typeStyles.muted}>{site.texts.tagline}</p>
          <InstallButton />
        </div>
        <ul className={styles.links} aria-label="Pages">
          {[...pageLinks, ...FOOTER_LINKS].map((link) => (
            <li key={link.label + link.url}>
              <a className={styles.link} href={link.url} {...createExternalLinkProps(link.url)}>
                {link.label}
              </a>
            </li>
          ))}
          <li className={styles.shortcuts}>
            <button type="button" className={styles.link} onClick={onShowShortcuts}>
              Keyboard shortcuts
            </button>
          </li>
        </ul>
        {shownSocialLinks.length > 0 && (
          <ul className={styles.links} aria-label="Elsewhere">
            {shownSocialLinks.map((link) => (
              <li key={link.label + link.url}>
                <a className={styles.link} href={link.url} {...createExternalLinkProps(link.url)}>
                  <Icon name={link.icon} />
                  {link.label}
                </a>
              </li>
            ))}
          </ul>
        )}
        <p className={classNames(typeStyles.muted, styles.copyright)}>
          © {new Date().getFullYear()} {DOMAIN}
        </p>
      </div>
    </footer>
  )
}
