import { useIntroVideo } from '../../bindings/intro-video.ts'
import { useSite } from '../../bindings/services.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Cover } from '../../ui/cover.tsx'
import { Key } from '../../ui/key.tsx'
import { Notice } from '../../ui/states.tsx'
import styles from './intro.module.css'

/** A picture until it is pressed; only then is the video platform asked for anything. */
export function Intro({ videoId }: { videoId: string }) {
  const { settings } = useSite()
  const { host, state, start } = useIntroVideo(videoId)
  return (
    <div className={styles.intro}>
      <div className={styles.screen}>
        {state !== 'started' && (
          <Cover src={`/img/song/${videoId}`} ratio="wide" width="min(100vw, 1344px)" alt="" className={styles.picture} />
        )}
        <div ref={host} className={classNames(styles.host, state === 'started' && styles.live)} />
        {state !== 'started' && (
          <button type="button" className={styles.press} onClick={start} aria-label={`Play the intro video of ${settings.NAME}`} />
        )}
        {state !== 'started' && (
          <span className={styles.key} aria-hidden="true" inert>
            <Key variant="lit" size="big" icon="play">
              Play intro
            </Key>
          </span>
        )}
      </div>
      {state === 'failed' && <Notice kind="bad">The video cannot be played here right now.</Notice>}
    </div>
  )
}
