import { useMemo } from 'react'
import { radioVideoPlaceRef } from '../../hooks/page-radio.ts'
import { classNames } from '../../ui/class-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { chooseTallScriptClass } from '../../ui/tall-script-class.ts'
import typeStyles from '../../ui/type.module.css'
import { RadioControls } from './radio-controls.tsx'
import { RadioMessage } from './radio-message.tsx'
import stageStyles from './radio-stage.module.css'
import { RadioPicture } from './radio-stage.tsx'
import styles from './radio-widget.module.css'
import { RadioContext, type SongOnAir, useRadioState } from './use-radio.ts'
import { useWidgetRadio } from './use-widget-radio.ts'

/** The radio on another page: the song on air, and the play button. Nothing of the video platform is loaded before the button is pressed. */
export function RadioWidget() {
  const radio = useWidgetRadio()
  const contextValue = useMemo(() => radio && { radio, initialState: radio.getSnapshot() }, [radio])
  if (contextValue === undefined) return null
  return (
    <RadioContext value={contextValue}>
      <div className={styles.widget}>
        {/* The frame of the page's radio is laid over this area (`radio-layer.tsx`). */}
        <section ref={radioVideoPlaceRef} aria-label="Video" className={stageStyles.stage}>
          <RadioPicture />
        </section>
        <NowPlaying />
      </div>
    </RadioContext>
  )
}

function NowPlaying() {
  const onAir = useRadioState((state) => state.onAir)
  return <div className={styles.now}>{onAir ? <SongOnAirView onAir={onAir} /> : <NothingOnAir />}</div>
}

function SongOnAirView({ onAir }: { onAir: SongOnAir }) {
  return (
    <>
      <p className={typeStyles.legend}>Live, the same second for everyone</p>
      <h3 dir="auto" className={classNames(typeStyles.head, typeStyles.d2, chooseTallScriptClass(onAir.title), styles.title)}>
        {onAir.title}
      </h3>
      <p dir="auto" className={classNames(typeStyles.muted, styles.artist)}>
        {onAir.author_name}
      </p>
      <RadioControls onAir={onAir} playLabelSuffix=" the radio" className={styles.controls} />
      <RadioMessage />
    </>
  )
}

/** Replaces the song if none is on air: shows the reason, or that the first response is pending. */
function NothingOnAir() {
  const hasNoSongs = useRadioState((state) => state.hasNoSongs)
  const isStationUnreachable = useRadioState((state) => state.serverUnreachable)
  const isAwaitingSchedule = !hasNoSongs && !isStationUnreachable
  return (
    <div aria-busy={isAwaitingSchedule}>
      <p role="status" className={classNames(typeStyles.lead, isAwaitingSchedule && typeStyles.hidden)}>
        {hasNoSongs
          ? 'The radio has no songs yet.'
          : isStationUnreachable
            ? 'No connection at the moment. The radio comes back by itself.'
            : 'Loading...'}
      </p>
      {isAwaitingSchedule && <Skeleton width="min(100%, 320px)" height="72px" />}
    </div>
  )
}
