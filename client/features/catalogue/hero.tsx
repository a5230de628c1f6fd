import { useCallback } from 'react'
import { useSite } from '../../hooks/services.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { RateRuler } from '../../ui/rate-ruler.tsx'
import { SpinningRecord } from '../../ui/spinning-record.tsx'
import { useToast } from '../../ui/toast.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './hero.module.css'
import { useRandomSong } from './use-random-song.ts'

export function Hero() {
  const { settings, texts, hero } = useSite()
  const toast = useToast()
  const randomSong = useRandomSong(useCallback((text: string) => toast({ text, kind: 'bad' }), [toast]))
  return (
    <section className={styles.hero}>
      <div className={styles.platter}>
        <SpinningRecord seed={settings.NAME} />
      </div>
      <div className={classNames(typeStyles.wrap, styles.copy)}>
        <h1 className={classNames(typeStyles.display, typeStyles.d4, styles.title)}>{settings.HERO_TITLE}</h1>
        {settings.HERO_SUBTITLE !== '' && <p className={classNames(typeStyles.lead, styles.lead)}>{settings.HERO_SUBTITLE}</p>}
        <div className={styles.buttons}>
          <Button size="big" variant="primary" icon="shuffle" busy={randomSong.isBusy} onClick={randomSong.open}>
            Random song
          </Button>
          <Button size="big" to="/playlists">
            More music
          </Button>
          {settings.HERO_LINK !== '' && (
            <a className={classNames(typeStyles.link, styles.link)} href={settings.HERO_LINK}>
              {texts.hero_link_label}
            </a>
          )}
        </div>
      </div>
      <div className={styles.strip}>
        <RateRuler rate={hero.rate} fromRate={hero.from_rate} toRate={hero.to_rate} seed={settings.NAME} />
      </div>
    </section>
  )
}
