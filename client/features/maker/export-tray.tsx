import { type ReactNode, useRef, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { classNames } from '../../ui/class-names.ts'
import { cutMiddle } from '../../ui/cut-middle.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './export-tray.module.css'
import { createProgressText } from './progress-text.ts'
import { type Engine, type QueuedExport, useEngineState, useMakerProgress } from './use-maker.ts'

let root: Root | undefined

/**
 * Shows the exports of an engine over the lower edge of each page until they have ended. The list has a React root of its own, because
 * exports continue while the person visits other pages, which do not load the maker's code.
 */
export function showExportTray(engine: Engine): void {
  root ??= createRoot(document.body.appendChild(document.createElement('div')))
  root.render(<ExportTray engine={engine} />)
}

function ExportTray({ engine }: { engine: Engine }) {
  const { runningExport, waitingExports } = useEngineState(engine)
  return (
    <>
      {runningExport && (
        <section className={classNames(styles.tray, waitingExports.length === 0 && styles.single)} aria-label="Files in progress">
          <ul>
            {[runningExport, ...waitingExports].map((shownExport) => (
              <ExportRow key={shownExport.id} queued={shownExport}>
                {shownExport === runningExport ? <RunningProgress engine={engine} /> : 'waits'}
              </ExportRow>
            ))}
          </ul>
        </section>
      )}
      <Announcement engine={engine} />
    </>
  )
}

function ExportRow({ queued: { fileName, cancel }, children }: { queued: QueuedExport; children: ReactNode }) {
  const rowRef = useRef<HTMLLIElement>(null)
  const shortName = cutMiddle(fileName)
  return (
    <li ref={rowRef} className={styles.row}>
      <span className={typeStyles.lines}>
        <bdi className={styles.name} title={fileName}>
          {shortName}
        </bdi>
        <span className={classNames(typeStyles.mono, styles.state)}>{children}</span>
      </span>
      <IconButton
        icon="close"
        label={`Cancel ${shortName}`}
        onClick={() => {
          // Moves the focus to another row, or to the page, because this row is removed.
          const otherRow = rowRef.current?.nextElementSibling ?? rowRef.current?.previousElementSibling
          const target = otherRow?.querySelector('button') ?? document.querySelector<HTMLElement>('#main')
          target?.focus({ preventScroll: true })
          cancel()
        }}
      />
    </li>
  )
}

function RunningProgress({ engine }: { engine: Engine }) {
  const progressTextElement = useRef<HTMLSpanElement>(null)
  const barElement = useRef<HTMLProgressElement>(null)
  const [progressText] = useState(createProgressText)
  useMakerProgress(engine, ({ exportProgress = 0 }) => {
    if (barElement.current) barElement.current.value = exportProgress
    if (progressTextElement.current) progressTextElement.current.textContent = progressText(exportProgress, performance.now())
  })
  return (
    <>
      <span ref={progressTextElement} />
      <progress ref={barElement} className={typeStyles.hidden} aria-label="Rendering" max={1} value={0} />
    </>
  )
}

/** Announces the progress of an export in quarters, so that screen readers do not read out every percent. */
function Announcement({ engine }: { engine: Engine }) {
  const announcementElement = useRef<HTMLSpanElement>(null)
  useMakerProgress(engine, ({ exportProgress = 0 }) => {
    const quarterPercent = Math.floor(exportProgress * 4) * 25
    const text = quarterPercent > 0 ? `Rendering: ${quarterPercent} percent` : ''
    if (announcementElement.current && announcementElement.current.textContent !== text) announcementElement.current.textContent = text
  })
  return <span ref={announcementElement} role="status" className={typeStyles.hidden} />
}
