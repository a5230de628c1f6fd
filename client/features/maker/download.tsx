import { useId, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { cutMiddle } from '../../ui/cut-middle.ts'
import { CheckboxField, SelectField } from '../../ui/form-controls.tsx'
import { formatBytes } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './download.module.css'
import { DOWNLOAD_FORMATS, findFormatOption, nameFileType } from './formats.ts'
import { type Engine, type EngineState, type ExportFormat, useMakerProgress } from './use-maker.ts'

/** The actions of the download buttons, whose outcome the maker page reports. */
export interface DownloadActions {
  /** The format of the next download. */
  format: ExportFormat
  setFormat: (format: ExportFormat) => void
  /** Whether the next download is the loop only. */
  isLoopOnly: boolean
  setLoopOnly: (isLoopOnly: boolean) => void
  download: () => void
  /** Opens the dialog of tags, names and level. */
  openOutputDialog: () => void
  /** Opens the dialog in which a video is designed. */
  openVideoDialog: () => void
  /** Saves the rendered sound to a file that the person chooses; `undefined` if the browser cannot do so. */
  saveTo?: () => void
  cancel: () => void
}

const formatPercent = (progress: number) => `${Math.floor(progress * 100)} %`

/**
 * Renders the main download button with its progress, and the button that cancels. The download button is always enabled: if it is pressed
 * without a song, a message says that a song is missing. The button is highlighted once a song is loaded.
 */
export function DownloadButton({ engine, state, actions }: { engine: Engine; state: EngineState; actions: DownloadActions }) {
  const detailId = useId()
  const downloadButton = useRef<HTMLButtonElement>(null)
  const percentText = useRef<HTMLSpanElement>(null)
  const { runningExport } = state
  const isExporting = runningExport !== undefined
  const { isLoopOnly } = actions
  const estimatedBytes = engine.estimate(actions.format, { isLoop: isLoopOnly })?.bytes
  const buttonLabel = `Download as ${findFormatOption(actions.format).fileType}`
  useMakerProgress(engine, ({ exportProgress = 0 }) => {
    downloadButton.current?.style.setProperty('--progress', `${exportProgress * 100}%`)
    if (percentText.current) percentText.current.textContent = formatPercent(exportProgress)
  })
  return (
    <div className={styles.line}>
      <button
        ref={downloadButton}
        type="button"
        className={classNames(styles.download, isExporting ? styles.busy : !state.sound && styles.idle)}
        aria-label={buttonLabel}
        aria-describedby={detailId}
        // The second press of a double click starts no second export.
        onClick={({ detail }) => detail < 2 && actions.download()}
      >
        <Icon name="download" className={styles.icon} />
        <span className={styles.words} title={runningExport?.songName}>
          {runningExport ? `${nameFileType(runningExport.format)}: ${cutMiddle(runningExport.songName)}` : buttonLabel}
        </span>
        <span id={detailId} className={classNames(typeStyles.mono, styles.detail)}>
          {isExporting ? (
            <span key="percent" ref={percentText} />
          ) : (
            estimatedBytes !== undefined &&
            `${isLoopOnly ? 'loop, ' : ''}${buttonLabel.endsWith('FLAC') ? '≤ ' : ''}${formatBytes(estimatedBytes)}`
          )}
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

/** Renders the choice of the format of downloads, and the buttons for videos and for saving to a chosen file. */
export function DownloadOptions({ actions }: { actions: DownloadActions }) {
  return (
    <section className={styles.others} aria-label="Download options">
      <div className={styles.format}>
        <SelectField label="Format" name="format" value={actions.format} options={DOWNLOAD_FORMATS} onChange={actions.setFormat} />
      </div>
      <div className={styles.format}>
        <CheckboxField name="loop" onChange={actions.setLoopOnly}>
          Only the loop, once a part is looped
        </CheckboxField>
      </div>
      {actions.saveTo && (
        <Button variant="tertiary" icon="file" onClick={actions.saveTo}>
          Save to…
        </Button>
      )}
      <Button variant="tertiary" onClick={actions.openOutputDialog}>
        Tags, name and level
      </Button>
      <Button variant="tertiary" onClick={actions.openVideoDialog}>
        Download as video
      </Button>
      <p className={classNames(typeStyles.muted, styles.note)}>
        {findFormatOption(actions.format).note}, made on this device. Nothing is uploaded.
      </p>
    </section>
  )
}
