import { drawBrandMarkPath } from '../../../contract/mark.ts'
import { InstallButton } from '../../components/install-button.tsx'
import { useSite } from '../../hooks/services.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatCount } from '../../ui/format.ts'
import { Logo } from '../../ui/logo.tsx'
import typeStyles from '../../ui/type.module.css'
import { NowPlaying } from './now-playing.tsx'
import { PreviouslyPlayedSongs } from './played-before.tsx'
import styles from './radio-page.module.css'
import { RadioShortcuts } from './radio-shortcuts.tsx'
import { RadioStage } from './radio-stage.tsx'
import { StationStrip } from './station-strip.tsx'
import { useRadioState } from './use-radio.ts'

/** The page of a radio website: the song on air, its controls, the stations and the previous songs. */
export function RadioPage() {
  const site = useSite()
  const { NAME, LOGO, DOMAIN } = site.settings
  const logoElement = <Logo name={NAME} src={LOGO} svgPath={drawBrandMarkPath(site.hero.rate)} to={site.main_url} />
  return (
    <div className={styles.page}>
      <header className={classNames(typeStyles.wrap, styles.bar)}>
        {logoElement}
        <OnAirSign />
      </header>
      <main id="main" className={classNames(typeStyles.wrap, styles.main)}>
        <RadioStage />
        <NowPlaying />
      </main>
      <StationStrip />
      <PreviouslyPlayedSongs />
      <footer className={classNames(typeStyles.wrap, styles.foot)}>
        {logoElement}
        <p className={typeStyles.muted}>
          Powered by{' '}
          <a className={classNames(typeStyles.link, styles.powered)} href={site.main_url}>
            {NAME}
          </a>
        </p>
        <InstallButton />
        <p className={classNames(typeStyles.mono, typeStyles.muted)} suppressHydrationWarning>
          © {new Date().getFullYear()} {DOMAIN}
        </p>
      </footer>
      <RadioShortcuts />
    </div>
  )
}

/** Shows whether the station is on air, and the number of listeners if the server counts them. */
function OnAirSign() {
  // While the server is unreachable, the radio still counts as on air if music is playing, because the music continues.
  const isOnAirSignLit = useRadioState(
    ({ onAir, serverUnreachable, status }) => onAir !== undefined && (!serverUnreachable || status === 'playing'),
  )
  const listeners = useRadioState((state) => state.listeners)
  return (
    <p className={styles.sign}>
      <span className={classNames(styles.led, isOnAirSignLit && styles.lit)} />
      {isOnAirSignLit ? 'On air' : 'Off air'}
      {isOnAirSignLit && listeners !== undefined && <span className={typeStyles.muted}>{formatCount(listeners)} listening</span>}
    </p>
  )
}
