import { useState } from 'react'
import type { ConversionHistoryRow } from '../../../contract/conversion.ts'
import { Button } from '../../ui/button.tsx'
import { formatBytes, formatLongDate } from '../../ui/format.ts'
import { SectionHeading } from '../../ui/section-heading.tsx'
import typeStyles from '../../ui/type.module.css'
import { useFocusAfterRemoval } from '../../ui/use-focus-after-removal.ts'
import styles from './export-history.module.css'
import { fitSpeedAndPitch, readSettingsFromFileName } from './settings-of-file-name.ts'
import { type ExportInOutbox, useExportHistory } from './use-export-history.ts'
import type { MakerSettings } from './use-maker.ts'

/** Lists the account's exports on all devices. Those that are not yet sent to the server come first. */
export function ExportHistory({ onUseSettings }: { onUseSettings: (settings: Partial<MakerSettings>) => void }) {
  const { rows, outboxFiles, retry, discard } = useExportHistory()
  const [section, setSection] = useState<HTMLElement | null>(null)
  useFocusAfterRemoval(section)
  const isHistoryEmpty = rows?.length === 0 && outboxFiles.length === 0
  return (
    <section ref={setSection} className={styles.history} tabIndex={-1} aria-labelledby="history-heading">
      <SectionHeading id="history-heading" level={2}>
        History
      </SectionHeading>
      {isHistoryEmpty && <p className={typeStyles.muted}>No history found.</p>}
      {!rows && outboxFiles.length === 0 && <p className={typeStyles.muted}>It shows once the site can be reached.</p>}
      <ul>
        {outboxFiles.map((historyFile, index) => (
          <li key={historyFile.id} className={styles.row} data-index={index}>
            <span className={styles.name}>{historyFile.file_name}</span>
            <OutboxFileItem file={historyFile} onRetry={() => retry(historyFile.id)} onDiscard={() => discard(historyFile.id)} />
          </li>
        ))}
        {rows?.map(({ id, file_name, file_size, created, ...recordedSettings }) => (
          <li key={id} className={styles.row}>
            <span className={styles.name}>{file_name}</span>
            <span className={styles.refused}>
              <span className={typeStyles.legend}>
                {formatBytes(file_size)}, {formatLongDate(created)}
              </span>
              <UseSettingsButton fileName={file_name} recorded={recordedSettings} onUse={onUseSettings} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface UseSettingsButtonProps {
  fileName: string
  recorded: Pick<ConversionHistoryRow, 'speed' | 'pitch'>
  onUse: (settings: Partial<MakerSettings>) => void
}

/** Offers the settings of an exported file. The name of a file has all of them, unless the person chose another pattern for it. */
function UseSettingsButton({ fileName, recorded, onUse }: UseSettingsButtonProps) {
  const namedSettings = readSettingsFromFileName(fileName)
  const usedSettings = namedSettings ?? fitSpeedAndPitch(recorded)
  return (
    usedSettings && (
      <Button variant="tertiary" onClick={() => onUse(usedSettings)}>
        {namedSettings ? 'Use these settings' : 'Use its speed and pitch'}
      </Button>
    )
  )
}

function OutboxFileItem({ file, onRetry, onDiscard }: { file: ExportInOutbox; onRetry: () => void; onDiscard: () => void }) {
  if (file.refusal === undefined) return <span className={typeStyles.legend}>{formatBytes(file.file_size)}, waits for a connection</span>
  return (
    <span className={styles.refused}>
      <span className={typeStyles.legend}>Not recorded: {file.refusal}</span>
      <Button variant="tertiary" onClick={onRetry}>
        Retry
      </Button>
      <Button variant="tertiary" onClick={onDiscard}>
        Discard
      </Button>
    </span>
  )
}
