import { usePlayer, usePlayerState } from '../../bindings/player.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Slider } from '../../ui/slider.tsx'
import styles from './volume.module.css'

export function VolumeControl() {
  const player = usePlayer()
  const volume = usePlayerState((state) => state.volume)
  const muted = usePlayerState((state) => state.muted)
  const percent = muted ? 0 : Math.round(volume * 100)
  return (
    <div className={styles.volume}>
      <IconButton
        icon={percent === 0 ? 'mute' : 'volume'}
        label={percent === 0 ? 'Unmute' : 'Mute'}
        look="bright"
        onClick={() => (percent === 0 && volume === 0 ? player.setVolume(0.5) : player.setMuted(!muted))}
      />
      <Slider
        label="Volume"
        look="scrub"
        min={0}
        max={100}
        step={1}
        value={percent}
        valueText={`${percent} percent`}
        className={styles.slider ?? ''}
        onChange={(value) => player.setVolume(value / 100)}
      />
    </div>
  )
}
