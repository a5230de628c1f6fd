import { type CSSProperties, useId, useRef } from 'react'
import type { Engine, EngineState, ExportFormat } from '../../bindings/maker.ts'
import { classNames } from '../../ui/class-names.ts'
import { formatBytes } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { Key } from '../../ui/key.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './download.module.css'

/** What a press on one of the keys does; the page says what became of it. */
export interface DownloadActions {
  download: (format: ExportFormat) => void
  /** Absent where the browser cannot. */
  saveTo?: () => void
  cancel: () => void
}

const percentText = (progress: number) => `${Math.floor(progress * 100)} %`

/** The one obvious key, the progress on it, and the way to stop. It is always enabled: it says what is missing. */
export function DownloadKey({ engine, state, actions }: { engine: Engine; state: EngineState; actions: DownloadActions }) {
  const detail = useId()
  const key = useRef<HTMLButtonElement>(null)
  const { exporting } = state
  const bytes = engine.estimate('wav-int16')?.bytes
  const style: Record<'--progress', string> = { '--progress': `${(exporting?.progress ?? 0) * 100}%` }
  return (
    <div className={styles.line}>
      <button
        ref={key}
        type="button"
        className={classNames(styles.download, exporting && styles.busy)}
        style={style as CSSProperties}
        aria-label="Download as WAV"
        aria-describedby={detail}
        onClick={() => actions.download('wav-int16')}
      >
        <Icon name="download" />
        <span className={styles.words}>Download as WAV</span>
        <span id={detail} className={classNames(typeStyles.mono, styles.detail)}>
          {exporting ? percentText(exporting.progress) : bytes !== undefined && formatBytes(bytes)}
        </span>
      </button>
      {exporting && (
        <Key
          variant="flat"
          className={styles.cancel ?? ''}
          onClick={() => {
            // This key goes.
            key.current?.focus({ preventScroll: true })
            actions.cancel()
          }}
        >
          Cancel
        </Key>
      )}
    </div>
  )
}

/** Said in steps: a screen reader does not count along. */
export function ExportProgress({ state: { exporting } }: { state: EngineState }) {
  const quarter = exporting && Math.floor(exporting.progress * 4) * 25
  return (
    <div className={typeStyles.hidden}>
      {exporting && (
        <progress aria-label="Rendering" value={exporting.progress} max={1}>
          {percentText(exporting.progress)}
        </progress>
      )}
      <span role="status">{quarter !== undefined && quarter > 0 && `Rendering: ${quarter} percent`}</span>
    </div>
  )
}

/** The other ways out. */
export function OtherFormats({ engine, state, actions }: { engine: Engine; state: EngineState; actions: DownloadActions }) {
  const detail = (format: ExportFormat) => {
    const bytes = state.sound && engine.estimate(format)?.bytes
    return bytes === undefined ? '' : formatBytes(bytes)
  }
  return (
    <section className={styles.others} aria-label="Other formats">
      {actions.saveTo && (
        <Key variant="flat" icon="file" onClick={actions.saveTo}>
          Save to…
        </Key>
      )}
      <Key variant="flat" onClick={() => actions.download('mp3')}>
        MP3 320 kbps <span className={typeStyles.legend}>{detail('mp3')}</span>
      </Key>
      <Key variant="flat" onClick={() => actions.download('wav-float32')}>
        32-bit float WAV <span className={typeStyles.legend}>{detail('wav-float32')}</span>
      </Key>
      <p className={classNames(typeStyles.muted, styles.note)}>
        16-bit PCM at the song's own sample rate, made on this device. Nothing is uploaded.
      </p>
    </section>
  )
}
