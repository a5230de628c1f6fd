import { useId, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatBytes } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './download.module.css'
import { type Engine, type EngineState, type ExportFormat, useMakerProgress } from './use-maker.ts'

/** The actions of the download buttons. The maker page reports their outcome. */
export interface DownloadActions {
  download: (format: ExportFormat) => void
  /** Opens the dialog in which a video is designed. */
  makeVideo: () => void
  /** Saves the rendered sound to a file that the person chooses; `undefined` if the browser cannot do so. */
  saveTo?: () => void
  cancel: () => void
}

const formatPercent = (progress: number) => `${Math.floor(progress * 100)} %`

/**
 * Renders the main download button with its progress, and the button that cancels. The download button is always enabled: pressed without a
 * song, it shows what is missing. It is highlighted once there is a song.
 */
export function DownloadButton({ engine, state, actions }: { engine: Engine; state: EngineState; actions: DownloadActions }) {
  const detailId = useId()
  const downloadButton = useRef<HTMLButtonElement>(null)
  const percentText = useRef<HTMLSpanElement>(null)
  const isExporting = state.runningExport !== undefined
  const bytes = engine.estimate('wav-int16')?.bytes
  useMakerProgress(engine, ({ export: progress = 0 }) => {
    downloadButton.current?.style.setProperty('--progress', `${progress * 100}%`)
    if (percentText.current) percentText.current.textContent = formatPercent(progress)
  })
  return (
    <div className={styles.line}>
      <button
        ref={downloadButton}
        type="button"
        className={classNames(styles.download, isExporting ? styles.busy : !state.sound && styles.idle)}
        aria-label="Download as WAV"
        aria-describedby={detailId}
        onClick={() => actions.download('wav-int16')}
      >
        <Icon name="download" className={styles.icon} />
        <span className={styles.words}>{isExporting ? 'Download' : 'Download as WAV'}</span>
        <span id={detailId} className={classNames(typeStyles.mono, styles.detail)}>
          {isExporting ? <span key="percent" ref={percentText} /> : bytes !== undefined && formatBytes(bytes)}
        </span>
      </button>
      {isExporting && (
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
export function ExportProgress({ engine, state }: { engine: Engine; state: EngineState }) {
  const progressBar = useRef<HTMLProgressElement>(null)
  const announcement = useRef<HTMLSpanElement>(null)
  useMakerProgress(engine, ({ export: progress }) => {
    if (progressBar.current) progressBar.current.value = progress ?? 0
    const quarterPercent = Math.floor((progress ?? 0) * 4) * 25
    const text = quarterPercent > 0 ? `Rendering: ${quarterPercent} percent` : ''
    if (announcement.current && announcement.current.textContent !== text) announcement.current.textContent = text
  })
  return (
    <div className={typeStyles.hidden}>
      {state.runningExport && <progress ref={progressBar} aria-label="Rendering" max={1} value={0} />}
      <span ref={announcement} role="status" />
    </div>
  )
}

/** Renders the buttons for videos, MP3, 32-bit floats and saving to a chosen file. */
export function OtherFormatButtons({ engine, state, actions }: { engine: Engine; state: EngineState; actions: DownloadActions }) {
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
      <Button variant="tertiary" onClick={actions.makeVideo}>
        Download as video
      </Button>
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
