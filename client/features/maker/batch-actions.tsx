import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import styles from './batch-dialog.module.css'
import { FilePicker } from './batch-setup.tsx'
import { chooseOutputFolder, pickFromFiles, saveZip } from './batch-songs.ts'
import type { Batch, BatchState } from './use-maker.ts'

/** Renders the buttons below the songs of a batch. */
export function BatchActions({ batch, state }: { batch: Batch; state: BatchState }) {
  const [isZipSaved, setIsSaved] = useState(false)
  const { phase, items, folderName, problem } = state
  const hasZipFile = folderName === undefined && phase === 'ended' && items.some((item) => item.state === 'done')
  const chooseFolderAgain = async () => {
    const folder = await chooseOutputFolder()
    if (folder) batch.replaceFolder(folder)
  }
  return (
    <div className={styles.actions}>
      {phase === 'running' && (
        <Button variant="tertiary" onClick={batch.cancelAll}>
          Cancel all
        </Button>
      )}
      {phase === 'paused' && (
        <>
          <Button
            variant="primary"
            icon="play"
            disabled={!items.some((item) => item.state === 'waiting' && !item.isMissing)}
            onClick={() => void batch.resume()}
          >
            Continue
          </Button>
          {items.some((item) => item.isMissing) && (
            <FilePicker label="Pick the songs again" onFiles={(files) => batch.provide(pickFromFiles(files).songs)} />
          )}
          {problem === 'folder-lost' && folderName !== undefined && (
            <Button variant="tertiary" icon="file" onClick={() => void chooseFolderAgain()}>
              Choose a folder
            </Button>
          )}
          <Button variant="tertiary" onClick={batch.cancelAll}>
            Cancel all
          </Button>
        </>
      )}
      {hasZipFile && (
        <Button
          variant="primary"
          icon="download"
          onClick={() => void saveZip(batch, createZipName(state)).then((hasStarted) => hasStarted && setIsSaved(true))}
        >
          Save the ZIP file
        </Button>
      )}
      {phase === 'ended' && (
        <Button variant="tertiary" icon={hasZipFile ? 'trash' : 'check'} onClick={() => void batch.clear()}>
          {hasZipFile ? (isZipSaved ? 'Delete the ZIP file here' : 'Delete without saving') : 'New batch'}
        </Button>
      )}
    </div>
  )
}

const createZipName = ({ plan, items }: BatchState) =>
  `${plan?.presetName ?? 'songs'} ${items.filter(({ state }) => state === 'done').length} songs`.replace(/[^\p{L}\p{N} +-]/gu, '')
