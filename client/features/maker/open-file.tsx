import { useEffect, useRef, useState } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { Key } from '../../ui/key.tsx'
import { RateRuler } from '../../ui/rate-ruler.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './open-file.module.css'

const ACCEPTED = 'audio/*,.mp3,.wav,.ogg,.oga,.opus,.m4a,.aac,.flac'

/** Asks for a file, with the device's own dialog. */
export function OpenKey({ onFile, lit = false }: { onFile: (file: File) => void; lit?: boolean }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Key icon="file" variant={lit ? 'lit' : 'flat'} size={lit ? 'big' : 'normal'} onClick={() => input.current?.click()}>
        Open a file
      </Key>
      <input
        ref={input}
        type="file"
        accept={ACCEPTED}
        hidden
        aria-label="Audio file"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          // The same file can be chosen again.
          event.currentTarget.value = ''
          if (file) onFile(file)
        }}
      />
    </>
  )
}

/** Where a song, or the invitation to open one, will be in a moment. */
export const ComingPlace = () => <div className={styles.place} aria-busy="true" />

/** Where the wave will be: what can be dropped there, and how else a song gets in. */
export function DropPlace({ onFile, rate, ready }: { onFile: (file: File) => void; rate: number; ready: boolean }) {
  // The song of the last visit may come: an invitation would be gone at once.
  if (!ready) return <ComingPlace />
  return (
    <section className={styles.place} aria-label="Open a song">
      <RateRuler rate={Math.min(2, Math.max(0.5, rate))} from={0.8} to={1.35} seed="maker" className={styles.art ?? ''} />
      <div className={styles.words}>
        <p className={classNames(typeStyles.head, typeStyles.d2)}>Drop a song here</p>
        <p className={typeStyles.muted}>MP3, WAV, OGG, M4A, AAC or FLAC. Or paste it, or share it to this app.</p>
        <OpenKey onFile={onFile} lit />
      </div>
    </section>
  )
}

export function LoadingPlace({ progress, onCancel }: { progress: number | undefined; onCancel: () => void }) {
  return (
    <section className={styles.place} aria-label="Open a song">
      <div className={styles.words} role="status">
        <p className={classNames(typeStyles.head, typeStyles.d2)}>Reading the song</p>
        <progress className={styles.progress} aria-label="Reading the song" max={1} {...(progress !== undefined && { value: progress })} />
        <Key variant="flat" onClick={onCancel}>
          Cancel
        </Key>
      </div>
    </section>
  )
}

const filesOf = (data: DataTransfer | null) => [...(data?.files ?? [])]
const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

/** Takes files that are dropped anywhere on the page, or pasted; gives whether one is over it now. */
export function useFilesFromOutside(onFile: (file: File) => void): boolean {
  const [over, setOver] = useState(false)
  const latest = useRef(onFile)
  useEffect(() => {
    latest.current = onFile
  })
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    const take = (files: File[]) => {
      const file = files.find(({ type }) => type.startsWith('audio/')) ?? files[0]
      if (file) latest.current(file)
    }
    const onDrag = (event: DragEvent) => {
      if (!hasFiles(event)) return
      // Else the browser would leave the page for the file.
      event.preventDefault()
      setOver(true)
    }
    addEventListener('dragenter', onDrag, { signal })
    addEventListener('dragover', onDrag, { signal })
    addEventListener('dragleave', (event) => event.relatedTarget === null && setOver(false), { signal })
    addEventListener(
      'drop',
      (event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(false)
        take(filesOf(event.dataTransfer))
      },
      { signal },
    )
    addEventListener('paste', (event) => take(filesOf(event.clipboardData)), { signal })
    return () => stop.abort()
  }, [])
  return over
}
