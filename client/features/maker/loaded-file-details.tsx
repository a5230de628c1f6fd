import { classNames } from '../../ui/class-names.ts'
import { cutMiddle } from '../../ui/cut-middle.ts'
import { formatDuration } from '../../ui/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './loaded-file-details.module.css'
import type { LoadedSound } from './use-maker.ts'

const describeChannels = (channels: number) => (channels === 1 ? ', mono' : channels === 2 ? '' : `, ${channels} channels, mixed down to 2`)
const formatSampleRate = (sampleRate: number) => `${(sampleRate / 1000).toFixed(1).replace(/\.0$/, '')} kHz`

/** Shows the details of the loaded file, and the button that removes it from this device. */
export function LoadedFileDetails({ sound, onRemove }: { sound: LoadedSound | undefined; onRemove: () => void }) {
  if (!sound) return <p className={typeStyles.muted}>Your song stays on this device.</p>
  return (
    <p className={classNames(styles.line, typeStyles.mono)}>
      <span>
        <bdi className={styles.name} title={sound.name}>
          {cutMiddle(sound.name)}
        </bdi>
        , {formatDuration(Math.round(sound.durationS))}, {formatSampleRate(sound.sampleRate)}
        {describeChannels(sound.sourceChannels)}
        {sound.truncated && ', ends early: the file is cut off'}
        {sound.damaged && ', damaged places are left out'}
        {sound.streamed && ', read from the disk'}
      </span>
      <IconButton icon="close" label="Remove this song from the device" onClick={onRemove} />
    </p>
  )
}
