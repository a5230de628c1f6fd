import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { isAudioFile } from '../../../contract/audio-files.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { cutMiddle } from '../../ui/cut-middle.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { RateRuler } from '../../ui/rate-ruler.tsx'
import typeStyles from '../../ui/type.module.css'
import { ACCEPTED_FILE_TYPES } from './edit-files.ts'
import offerStyles from './offered-file.module.css'
import styles from './open-file.module.css'
import { type DroppedItems, takeDroppedSongs } from './use-batch.ts'
import { type Engine, useMakerProgress } from './use-maker.ts'
import { WaveformPlaceholder } from './waveform-placeholder.tsx'

/** Renders the button that opens the device's file dialog. */
export function OpenFileButton({ onFile, isPrimary: primary = false }: { onFile: (file: File) => void; isPrimary?: boolean }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        icon="file"
        variant={primary ? 'primary' : 'tertiary'}
        size={primary ? 'big' : 'normal'}
        onClick={() => input.current?.click()}
      >
        Open a file
      </Button>
      <input
        ref={input}
        type="file"
        accept={ACCEPTED_FILE_TYPES}
        hidden
        aria-label="Audio file"
        onChange={(event) => {
          const [chosenFile] = event.currentTarget.files ?? []
          // The input is cleared, so that choosing the same file again fires a change event.
          event.currentTarget.value = ''
          if (chosenFile) onFile(chosenFile)
        }}
      />
    </>
  )
}

/** Renders the drop zone in the space of the waveform, with the button to open a file. */
export function DropZone({
  onFile,
  playbackRate,
  isMakerReady: isReady,
}: {
  onFile: (file: File) => void
  playbackRate: number
  isMakerReady: boolean
}) {
  // The drop zone is hidden while the last project may still be restored.
  if (!isReady) return <WaveformPlaceholder />
  return (
    <section className={styles.place} aria-label="Open a song">
      <div className={styles.words}>
        <div>
          <p className={classNames(typeStyles.head, typeStyles.d2)}>Drop a song here</p>
          <p className={typeStyles.muted}>MP3, WAV, OGG, M4A, AAC or FLAC. Or paste it, or share it to this app.</p>
        </div>
        <OpenFileButton onFile={onFile} isPrimary />
      </div>
      <RateRuler rate={Math.min(2, Math.max(0.5, playbackRate))} fromRate={0.8} toRate={1.35} seed="maker" className={styles.art ?? ''} />
    </section>
  )
}

/** Shows the progress of a load in the space of the waveform. */
export function LoadingIndicator({ engine, name }: { engine: Engine; name: string | undefined }) {
  const progressBar = useRef<HTMLProgressElement>(null)
  useMakerProgress(engine, ({ loadProgress }) => {
    if (loadProgress === undefined) progressBar.current?.removeAttribute('value')
    else if (progressBar.current) progressBar.current.value = loadProgress
  })
  return (
    <section className={styles.place} aria-label="Open a song">
      <div className={styles.words} role="status">
        <div>
          <p className={classNames(typeStyles.head, typeStyles.d2)}>Reading the song</p>
          {name !== undefined && (
            <p className={typeStyles.muted} dir="auto">
              {cutMiddle(name)}
            </p>
          )}
          <progress ref={progressBar} className={styles.progress} aria-label="Reading the song" max={1} />
        </div>
        <Button variant="tertiary" onClick={engine.cancelLoad}>
          Cancel
        </Button>
      </div>
    </section>
  )
}

const listFiles = (data: DataTransfer | null): readonly File[] => [...(data?.files ?? [])]

/** Returns the files of a drop or paste event; none if a text is pasted into a field. */
export function listEventFiles(event: DragEvent | ClipboardEvent): readonly File[] {
  if (event instanceof DragEvent) return listFiles(event.dataTransfer)
  const isText = event.target instanceof HTMLInputElement && event.clipboardData?.types.includes('text/plain')
  return isText ? [] : listFiles(event.clipboardData)
}
const hasDraggedFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

/**
 * Calls `onFiles` with files that are dropped on the page or pasted, leaving out other files if at least one is an audio file. If they are
 * several audio files or a folder, calls `onMany` instead. Returns whether a file is dragged over the page.
 */
export function useFileDrop(onFiles: (files: readonly File[]) => void, onMany: (items: DroppedItems) => void): boolean {
  const [isDraggedOver, setDraggedOver] = useState(false)
  const openFiles = useEffectEvent(onFiles)
  const openMany = useEffectEvent(onMany)
  useEffect(() => {
    const abortController = new AbortController()
    const { signal } = abortController
    const isAudioOrNamedAudio = (file: File) => file.type.startsWith('audio/') || isAudioFile(file)
    const openAudioFiles = (files: readonly File[]) => {
      const audioFiles = files.filter(isAudioOrNamedAudio)
      if (files.length > 0) openFiles(audioFiles.length > 0 ? audioFiles : files)
    }
    const onDrag = (event: DragEvent) => {
      if (!hasDraggedFiles(event)) return
      // Cancels the event, because the browser would otherwise navigate to the file.
      event.preventDefault()
      setDraggedOver(true)
    }
    addEventListener('dragenter', onDrag, { signal })
    addEventListener('dragover', onDrag, { signal })
    addEventListener('dragleave', (event) => event.relatedTarget === null && setDraggedOver(false), { signal })
    // Listens in the capture phase, because a dialog that takes the files itself stops the event before the bubble phase.
    addEventListener('drop', () => setDraggedOver(false), { signal, capture: true })
    addEventListener(
      'drop',
      (event) => {
        if (!hasDraggedFiles(event)) return
        event.preventDefault()
        const manySongs = takeDroppedSongs(event.dataTransfer)
        if (manySongs) openMany(manySongs)
        else openAudioFiles(listEventFiles(event))
      },
      { signal },
    )
    addEventListener(
      'paste',
      (event) => {
        const droppedFiles = listEventFiles(event)
        const manySongs = droppedFiles.length > 1 ? takeDroppedSongs(event.clipboardData) : undefined
        if (manySongs) openMany(manySongs)
        else openAudioFiles(droppedFiles)
      },
      { signal },
    )
    return () => abortController.abort()
  }, [])
  return isDraggedOver
}

interface OfferedFileProps {
  /** The name of the file that another app shared; `undefined` closes the dialog. */
  name: string | undefined
  loadedName: string
  onOpen: () => void
  onKeep: () => void
}

/** Asks before a shared file replaces the loaded one: any app or site can share a file. */
export function SharedFilePrompt({ name, loadedName, onOpen, onKeep }: OfferedFileProps) {
  return (
    <Dialog open={name !== undefined} onClose={onKeep} title="Open the file that came?">
      <div className={offerStyles.offer}>
        <p className={typeStyles.muted}>
          <bdi>{name}</bdi> opens with the settings that are set. <bdi>{loadedName}</bdi> stays in ‘My edits’.
        </p>
        <Button variant="primary" onClick={onOpen}>
          Open it
        </Button>
        <Button variant="tertiary" onClick={onKeep}>
          Keep my song
        </Button>
      </div>
    </Dialog>
  )
}
