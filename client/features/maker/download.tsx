import { type CSSProperties, useId, useRef } from 'react'
import type { Engine, EngineState, ExportFormat } from '../../bindings/maker.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatBytes } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './download.module.css'

/** The actions of the download buttons. The maker page reports their outcome. */
export interface DownloadActions {
  download: (format: ExportFormat) => void
  /** Saves to a file that the person chooses; `undefined` if the browser cannot do so. */
  saveTo?: () => void
  cancel: () => void
}

const formatPercent = (progress: number) => `${Math.floor(progress * 100)} %`

/**
 * Renders the main download button with its progress, and the button that cancels. It is always enabled: a press without a song shows what
 * is missing.
 */
export function DownloadButton({ engine, state, actions }: { engine: Engine; state: EngineState; actions: DownloadActions }) {
  const detailId = useId()
  const downloadButton = useRef<HTMLButtonElement>(null)
  const { runningExport: exporting } = state
  const bytes = engine.estimate('wav-int16')?.bytes
  const style: Record<'--progress', string> = { '--progress': `${(exporting?.progress ?? 0) * 100}%` }
  return (
    <div className={styles.line}>
      <button
        ref={downloadButton}
        type="button"
        className={classNames(styles.download, exporting && styles.busy)}
        style={style as CSSProperties}
        aria-label="Download as WAV"
        aria-describedby={detailId}
        onClick={() => actions.download('wav-int16')}
      >
        <Icon name="download" />
        <span className={styles.words}>Download as WAV</span>
        <span id={detailId} className={classNames(typeStyles.mono, styles.detail)}>
          {exporting ? formatPercent(exporting.progress) : bytes !== undefined && formatBytes(bytes)}
        </span>
      </button>
      {exporting && (
        <Button
          variant="tertiary"
          className={styles.cancel ?? ''}
          onClick={() => {
            // Moves the focus to the download button, because the cancel button is removed.
            downloadButton.current?.focus({ preventScroll: true })
            actions.cancel()
          }}
        >
          Cancel
        </Button>
      )}
    </div>
  )
}

/** Announces the progress of an export in quarters, so that screen readers do not read out every percent. */
export function ExportProgress({ state: { runningExport: exporting } }: { state: EngineState }) {
  const quarterPercent = exporting && Math.floor(exporting.progress * 4) * 25
  return (
    <div className={typeStyles.hidden}>
      {exporting && (
        <progress aria-label="Rendering" value={exporting.progress} max={1}>
          {formatPercent(exporting.progress)}
        </progress>
      )}
      <span role="status">{quarterPercent !== undefined && quarterPercent > 0 && `Rendering: ${quarterPercent} percent`}</span>
    </div>
  )
}

/** Renders the buttons for MP3, 32-bit floats and saving to a chosen file. */
export function OtherFormats({ engine, state, actions }: { engine: Engine; state: EngineState; actions: DownloadActions }) {
  const formatDetail = (format: ExportFormat) => {
    const bytes = state.sound && engine.estimate(format)?.bytes
    return bytes === undefined ? '' : formatBytes(bytes)
  }
  return (
    <section className={styles.others} aria-label="Other formats">
      {actions.saveTo && (
        <Button variant="tertiary" icon="file" onClick={actions.saveTo}>
          Save to…
        </Button>
      )}
      <Button variant="tertiary" onClick={() => actions.download('mp3')}>
        MP3 320 kbps <span className={typeStyles.legend}>{formatDetail('mp3')}</span>
      </Button>
      <Button variant="tertiary" onClick={() => actions.download('wav-float32')}>
        32-bit float WAV <span className={typeStyles.legend}>{formatDetail('wav-float32')}</span>
      </Button>
      <p className={classNames(typeStyles.muted, styles.note)}>
        16-bit PCM at the song's own sample rate, made on this device. Nothing is uploaded.
      </p>
    </section>
  )
}
