import { useMemo } from 'react'
import { stopPageRadio, useIsRadioDocked, useRadioVideoPlace } from '../../hooks/page-radio.ts'
import { classNames } from '../../ui/class-names.ts'
import barStyles from '../../ui/docked-bar.module.css'
import { IconButton } from '../../ui/icon-button.tsx'
import typeStyles from '../../ui/type.module.css'
import { VideoFrame } from '../../ui/video-frame.tsx'
import { VolumeControl } from '../../ui/volume-control.tsx'
import styles from './radio-layer.module.css'
import { RadioContext, type RadioPlayer, useBusyWhileRadioPlays, useRadio, useRadioState } from './use-radio.ts'

/** Renders the video of the page's radio, and the radio's bar while no radio widget is on the page. */
export function RadioLayer({ radio }: { radio: RadioPlayer }) {
  const contextValue = useMemo(() => ({ radio, initialState: radio.getSnapshot() }), [radio])
  const isRadioDocked = useIsRadioDocked()
  return (
    <RadioContext value={contextValue}>
      {isRadioDocked && <RadioBar />}
      <RadioVideoFrame radio={radio} isDocked={isRadioDocked} />
    </RadioContext>
  )
}

function RadioVideoFrame({ radio, isDocked }: { radio: RadioPlayer; isDocked: boolean }) {
  useBusyWhileRadioPlays(useRadioState((state) => state.canPause))
  const hasFrame = useRadioState((state) => state.hasFrame)
  return <VideoFrame place={useRadioVideoPlace()} docked={isDocked} hasFrame={hasFrame} isRounded attach={radio.attachStage} />
}

function RadioBar() {
  const radio = useRadio()
  const songOnAir = useRadioState((state) => state.onAir)
  const canPause = useRadioState((state) => state.canPause)
  const volume = useRadioState((state) => state.volume)
  const isMuted = useRadioState((state) => state.muted)
  return (
    <section aria-label="Radio" className={classNames(barStyles.bar, styles.bar)}>
      <div className={styles.song}>
        <p className={classNames(typeStyles.legend, styles.sign)}>
          <span className={classNames(styles.led, canPause && styles.lit)} />
          {canPause ? 'On air' : 'Paused'}
          <a className={styles.back} href="/#radio">
            Back to the radio
          </a>
        </p>
        <p className={classNames(barStyles.title, styles.title)} dir="auto">
          {songOnAir?.title}
        </p>
        <p className={barStyles.artist} dir="auto">
          {songOnAir?.author_name}
        </p>
      </div>
      <div className={styles.buttons}>
        <IconButton
          icon={canPause ? 'pause' : 'play'}
          label={`${canPause ? 'Pause' : 'Play'} the radio`}
          look="play"
          onClick={() => radio.toggle()}
        />
        <div className={styles.volume}>
          <VolumeControl
            volume={volume}
            muted={isMuted}
            onVolume={(value) => radio.setVolume(value)}
            onMuted={(value) => radio.setMuted(value)}
          />
        </div>
        <IconButton icon="close" label="Stop the radio" onClick={stopPageRadio} />
      </div>
    </section>
  )
}
