import { useSite } from '../../hooks/services.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Cover } from '../../ui/cover.tsx'
import { ErrorState } from '../../ui/states.tsx'
import styles from './intro-video.module.css'
import { useIntroVideo } from './use-intro-video.ts'

/** The intro video. Until it is clicked, a picture is shown and no request is sent to the video platform. A failure is shown over the picture. */
export function IntroVideo({ videoId }: { videoId: string }) {
  const { settings } = useSite()
  const { host: videoContainer, state, start } = useIntroVideo(videoId)
  return (
    <div className={styles.screen}>
      {state !== 'started' && (
        <Cover src={`/img/song/${videoId}`} ratio="wide" width="min(100vw, 1344px)" alt="" className={styles.picture} />
      )}
      <div ref={videoContainer} className={classNames(styles.host, state === 'started' && styles.started)} />
      {state === 'picture' && (
        <>
          <button type="button" className={styles.startArea} onClick={start} aria-label={`Play the intro video of ${settings.NAME}`} />
          <span className={styles.button} aria-hidden="true" inert>
            <Button size="big" icon="play">
              Play intro
            </Button>
          </span>
        </>
      )}
      {state === 'failed' && (
        <div className={styles.failure}>
          <ErrorState title="The video cannot be played here right now." onRetry={start} />
        </div>
      )}
    </div>
  )
}
