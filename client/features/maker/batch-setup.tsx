import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { AUDIO_EXTENSIONS } from '../../../contract/audio-files.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { CheckboxField, SelectField } from '../../ui/form-controls.tsx'
import { formatBytes, formatPlural } from '../../ui/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import styles from './batch-dialog.module.css'
import { canChooseFolder, chooseOutputFolder, chooseSongFolder, type PickedSongs, songsOfDrop, songsOfFiles } from './batch-songs.ts'
import { FORMATS } from './formats.ts'
import { areSettingsEqual, builtInPresets, originalPreset } from './presets.ts'
import { formatDecimals, PITCH_DECIMALS, SPEED_DECIMALS } from './setting-values.ts'
import type { DroppedItems } from './use-batch.ts'
import { type Batch, type BatchInput, type Engine, type ExportFormat, type MakerSettings, useEngineState } from './use-maker.ts'
import { useOwnPresets } from './use-own-presets.ts'

const DEFAULT_PATTERN = '{name} ({preset} {rate})'

interface BatchSetupProps {
  engine: Engine
  batch: Batch
  /** Songs that were dropped on the page. */
  dropped: DroppedItems | undefined
  /** Called when the dropped songs are in the list. */
  onTaken: () => void
}

/** Renders the choice of songs and of what is made of them. */
export function BatchSetup({ engine, batch, dropped, onTaken }: BatchSetupProps) {
  const { settings } = useEngineState(engine)
  const { presets } = useOwnPresets()
  const [songs, setSongs] = useState<readonly BatchInput[]>([])
  const [otherCount, setOtherCount] = useState(0)
  const [isTempoFitted, setTempoFitted] = useState(false)
  const [format, setFormat] = useState<ExportFormat>('wav-int16')
  const [namePattern, setNamePattern] = useState(DEFAULT_PATTERN)
  const presetName =
    [...builtInPresets, ...presets, originalPreset].find((preset) => areSettingsEqual(preset.settings, settings))?.name ?? 'My mix'

  const add = useCallback((picked: PickedSongs | undefined) => {
    if (picked === undefined) return
    setSongs((current) => [...current, ...picked.songs.filter((song) => !current.some((known) => isSameSong(known, song)))])
    setOtherCount(picked.otherCount)
  }, [])
  const takeDropped = useEffectEvent(onTaken)
  useEffect(() => {
    if (dropped)
      void songsOfDrop(dropped).then((picked) => {
        add(picked)
        takeDropped()
      })
  }, [dropped, add])

  const start = (folder: FileSystemDirectoryHandle | undefined) =>
    batch.start(songs, { settings, isTempoFitted, format, namePattern: namePattern.trim() || DEFAULT_PATTERN, presetName }, folder)
  const startInFolder = async () => {
    const folder = await chooseOutputFolder()
    if (folder) await start(folder)
  }
  const hasFolders = canChooseFolder()
  return (
    <div className={styles.stack}>
      <div className={styles.pickers}>
        <FilePicker label="Add songs" onFiles={(files) => add(songsOfFiles(files))} />
        {hasFolders ? (
          <Button variant="tertiary" icon="plus" onClick={() => void chooseSongFolder().then(add)}>
            Add a folder
          </Button>
        ) : (
          <FilePicker label="Add a folder" isFolder onFiles={(files) => add(songsOfFiles(files))} />
        )}
        <p role="status" className={styles.note}>
          {songs.length === 0
            ? 'Or drop songs or a folder on the page.'
            : `${formatPlural(songs.length, 'song')}, ${formatBytes(totalBytes(songs))}.`}
          {otherCount > 0 && ` ${formatPlural(otherCount, 'file')} of other kinds left out.`}
        </p>
      </div>
      {songs.length > 0 && (
        <ul className={styles.list} aria-label="Songs">
          {songs.map((song) => (
            <li key={`${song.folderPath}/${song.file.name} ${song.file.size}`} className={styles.row}>
              <span className={styles.song}>
                <bdi className={styles.name}>{song.file.name}</bdi>
                <span className={styles.note}>
                  {[song.folderPath, formatBytes(song.file.size)].filter((part) => part !== '').join(', ')}
                </span>
              </span>
              <IconButton
                icon="close"
                label={`Leave out ${song.file.name}`}
                onClick={() => setSongs((current) => current.filter((each) => each !== song))}
              />
            </li>
          ))}
        </ul>
      )}
      <p>
        <strong>{presetName}</strong>: {settingsText(settings)}.{' '}
        <span className={styles.note}>These are the maker’s settings. Close this window to change them.</span>
      </p>
      <CheckboxField name="fit" isChecked={isTempoFitted} onChange={setTempoFitted}>
        Fit the speed of each song to 140-160 BPM
      </CheckboxField>
      <div className={styles.pair}>
        <SelectField label="Format" name="format" value={format} options={FORMATS} onChange={setFormat} />
        <Field
          label="File names"
          name="names"
          autoComplete="off"
          value={namePattern}
          maxLength={200}
          onChange={(event) => setNamePattern(event.currentTarget.value)}
        >
          {'{name} {title} {artist} {preset} {rate} {speed} {pitch} {bpm} {number}'}
        </Field>
      </div>
      <div className={styles.actions}>
        {hasFolders && (
          <Button variant="primary" icon="file" disabled={songs.length === 0} onClick={() => void startInFolder()}>
            Choose a folder and start
          </Button>
        )}
        <Button
          variant={hasFolders ? 'tertiary' : 'primary'}
          icon="download"
          disabled={songs.length === 0}
          onClick={() => void start(undefined)}
        >
          Start, as one ZIP file
        </Button>
        <p className={styles.note}>Made on this device. Nothing is uploaded.</p>
      </div>
    </div>
  )
}

const isSameSong = (a: BatchInput, b: BatchInput) =>
  a.folderPath === b.folderPath && a.file.name === b.file.name && a.file.size === b.file.size && a.file.lastModified === b.file.lastModified

const totalBytes = (songs: readonly BatchInput[]) => songs.reduce((sum, { file }) => sum + file.size, 0)

function settingsText({ speed, pitch, reverbAmount, reverbSize, bassDb }: MakerSettings): string {
  const change = (value: number, decimals: number) => `${value > 0 ? '+' : ''}${formatDecimals(value, 0, decimals)}`
  return [
    `speed ${formatDecimals(speed, 0, SPEED_DECIMALS)}`,
    `pitch ${change(pitch, PITCH_DECIMALS)}`,
    ...(reverbAmount > 0 ? [`reverb ${reverbAmount} %, size ${reverbSize} %`] : []),
    ...(bassDb !== 0 ? [`bass ${change(bassDb, 1)} dB`] : []),
  ].join(', ')
}

interface FilePickerProps {
  label: string
  /** Whether the person picks a folder instead of files. */
  isFolder?: boolean
  onFiles: (files: readonly File[]) => void
}

/** Renders a button that opens the device's file dialog for several files, or for a folder. */
export function FilePicker({ label, isFolder = false, onFiles }: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button variant="tertiary" icon="plus" onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label={`${label}: files`}
        {...(isFolder ? { webkitdirectory: '' } : { accept: ['audio/*', ...AUDIO_EXTENSIONS].join() })}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])]
          // The input is cleared, so that choosing the same files again fires a change event.
          event.currentTarget.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
    </>
  )
}
