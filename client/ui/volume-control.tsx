import { IconButton } from './icon-button.tsx'
import { Slider } from './slider.tsx'
import styles from './volume-control.module.css'

/** The volume that a press of Unmute restores if the volume is 0. */
const RESTORED_VOLUME = 0.5

interface VolumeControlProps {
  /** The volume, 0 to 1. */
  volume: number
  muted: boolean
  onVolume: (volume: number) => void
  onMuted: (muted: boolean) => void
}

export function VolumeControl({ volume, muted, onVolume, onMuted }: VolumeControlProps) {
  const volumePercent = muted ? 0 : Math.round(volume * 100)
  return (
    <div className={styles.volume}>
      <IconButton
        icon={volumePercent === 0 ? 'mute' : 'volume'}
        label={volumePercent === 0 ? 'Unmute' : 'Mute'}
        look="bright"
        onClick={() => (volumePercent === 0 && volume === 0 ? onVolume(RESTORED_VOLUME) : onMuted(!muted))}
      />
      <Slider
        label="Volume"
        look="scrub"
        min={0}
        max={100}
        step={1}
        value={volumePercent}
        valueText={`${volumePercent} percent`}
        className={styles.slider ?? ''}
        onChange={(value) => onVolume(value / 100)}
      />
    </div>
  )
}
