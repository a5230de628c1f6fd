import { useCallback, useEffect, useEffectEvent, useRef } from 'react'
import { AUDIO_EXTENSIONS } from '../../../contract/audio-files.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { CheckboxField, SelectField } from '../../ui/form-controls.tsx'
import { formatBytes, formatPlural } from '../../ui/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import styles from './batch-dialog.module.css'
import {
  canChooseFolder,
  chooseOutputFolder,
  chooseSongFolder,
  type PickedSongs,
  pickFromDroppedItems,
  pickFromFiles,
} from './batch-songs.ts'
import { type BatchVideoChoice, BatchVideoFields, DEFAULT_BATCH_VIDEO } from './batch-video.tsx'
import { DOWNLOAD_FORMATS } from './formats.ts'
import { LoudnessField } from './loudness-field.tsx'
import { findPresetName } from './presets.ts'
import { formatDecimals, PITCH_DECIMALS, SPEED_DECIMALS } from './setting-values.ts'
import type { DroppedItems } from './use-batch.ts'
import {
  type Batch,
  type BatchInput,
  type BatchPlan,
  type Engine,
  type ExportFormat,
  type MakerSettings,
  useEngineState,
} from './use-maker.ts'
import { useOwnPresets } from './use-own-presets.ts'

const DEFAULT_NAME_PATTERN = '{name} ({preset} {rate})'

/** The selectable products of a batch: sounds, videos or both. */
const PRODUCT_OPTIONS = [
  { value: 'sound', label: 'Sound' },
  { value: 'video', label: 'Video' },
  { value: 'both', label: 'Sound and video' },
] as const

/** The person's choices for the next batch. They stay while the dialog is closed. */
export interface BatchChoice {
  readonly songs: readonly BatchInput[]
  /** The number of files in the last selection that are not audio files. */
  readonly nonAudioFileCount: number
  readonly isTempoFitted: boolean
  readonly product: (typeof PRODUCT_OPTIONS)[number]['value']
  readonly format: ExportFormat
  readonly video: BatchVideoChoice
  /** The name pattern and the loudness that the person has chosen for the batch; by default those of the open song. */
  readonly namePattern?: string
  readonly loudness?: { readonly targetLufs: number | undefined }
}

export const EMPTY_CHOICE: BatchChoice = {
  songs: [],
  nonAudioFileCount: 0,
  isTempoFitted: false,
  product: 'sound',
  format: 'wav-int16',
  video: DEFAULT_BATCH_VIDEO,
}

interface BatchSetupProps {
  engine: Engine
  batch: Batch
  choice: BatchChoice
  setChoice: (change: (choice: BatchChoice) => BatchChoice) => void
  /** Songs that were dropped on the page. */
  dropped: DroppedItems | undefined
  /** Called when the dropped songs have been added to the list. */
  onDroppedSongsAdded: () => void
}

/** Renders the fields to choose songs, and to choose whether sounds or videos are made of them. */
export function BatchSetup({ engine, batch, choice, setChoice, dropped, onDroppedSongsAdded }: BatchSetupProps) {
  const { settings, output } = useEngineState(engine)
  const { presets } = useOwnPresets()
  const { songs, nonAudioFileCount, isTempoFitted, product, format, video: videoChoice } = choice
  const namePattern = choice.namePattern ?? (output.namePattern || DEFAULT_NAME_PATTERN)
  const { targetLufs } = choice.loudness ?? output
  const presetName = findPresetName(settings, presets) ?? 'My mix'

  const addSongs = useCallback(
    (pickedSongs: PickedSongs | undefined) => {
      if (pickedSongs === undefined) return
      setChoice((earlierChoice) => ({
        ...earlierChoice,
        songs: [
          ...earlierChoice.songs,
          ...pickedSongs.songs.filter((song) => !earlierChoice.songs.some((known) => isSameSong(known, song))),
        ],
        nonAudioFileCount: pickedSongs.nonAudioFileCount,
      }))
    },
    [setChoice],
  )
  const notifyDroppedSongsAdded = useEffectEvent(onDroppedSongsAdded)
  useEffect(() => {
    if (dropped)
      void pickFromDroppedItems(dropped).then((pickedSongs) => {
        addSongs(pickedSongs)
        notifyDroppedSongsAdded()
      })
  }, [dropped, addSongs])

  const startBatch = (video: BatchPlan['video'], folder: FileSystemDirectoryHandle | undefined) => {
    setChoice((current) => ({ ...current, songs: [], nonAudioFileCount: 0 }))
    const plan = { settings, isTempoFitted, format, video, namePattern: namePattern.trim() || DEFAULT_NAME_PATTERN, targetLufs, presetName }
    void batch.start(songs, plan, folder)
  }
  const startInFolder = async (video: BatchPlan['video']) => {
    const folder = await chooseOutputFolder()
    if (folder) startBatch(video, folder)
  }
  const renderActions = (canStartBatch: boolean, video: BatchPlan['video']) => (
    <div className={styles.actions}>
      {hasFolders && (
        <Button variant="primary" icon="file" disabled={!canStartBatch} onClick={() => void startInFolder(video)}>
          Choose a folder and start
        </Button>
      )}
      <Button
        variant={hasFolders ? 'tertiary' : 'primary'}
        icon="download"
        disabled={!canStartBatch}
        onClick={() => startBatch(video, undefined)}
      >
        Start, as one ZIP file
      </Button>
      <p className={styles.note}>Made on this device. Nothing is uploaded.</p>
    </div>
  )
  const hasFolders = canChooseFolder()
  return (
    <>
      <div className={styles.pickers}>
        <FilePicker label="Add songs" onFiles={(files) => addSongs(pickFromFiles(files))} />
        {hasFolders ? (
          <Button variant="tertiary" icon="plus" onClick={() => void chooseSongFolder().then(addSongs)}>
            Add a folder
          </Button>
        ) : (
          <FilePicker label="Add a folder" isFolderPicker onFiles={(files) => addSongs(pickFromFiles(files))} />
        )}
        <p role="status" className={styles.note}>
          {songs.length === 0
            ? 'Or drop songs or a folder on the page.'
            : `${formatPlural(songs.length, 'song')}, ${formatBytes(sumFileBytes(songs))}.`}
          {nonAudioFileCount > 0 && ` ${formatPlural(nonAudioFileCount, 'file')} of other kinds left out.`}
        </p>
      </div>
      {songs.length > 0 && (
        <ul className={styles.list} aria-label="Songs">
          {songs.map((song, index) => (
            <li key={`${song.folderPath}/${song.file.name} ${song.file.size}`} className={styles.row} data-index={index}>
              <span className={styles.song}>
                <bdi className={styles.name}>{song.file.name}</bdi>
                <span className={styles.note}>
                  {[song.folderPath, formatBytes(song.file.size)].filter((part) => part !== '').join(', ')}
                </span>
              </span>
              <IconButton
                icon="close"
                label={`Leave out ${song.file.name}`}
                onClick={() => setChoice((current) => ({ ...current, songs: current.songs.filter((each) => each !== song) }))}
              />
            </li>
          ))}
        </ul>
      )}
      <p>
        <strong>{presetName}</strong>: {describeSettings(settings)}.{' '}
        <span className={styles.note}>These are the maker’s settings. Close this window to change them; the songs stay here.</span>
      </p>
      <CheckboxField
        name="fit"
        isChecked={isTempoFitted}
        onChange={(isChecked) => setChoice((current) => ({ ...current, isTempoFitted: isChecked }))}
      >
        Fit the speed of each song to 140-160 BPM
      </CheckboxField>
      <div className={styles.pair}>
        <SelectField
          label="Make"
          name="product"
          value={product}
          options={PRODUCT_OPTIONS}
          onChange={(chosen) => setChoice((current) => ({ ...current, product: chosen }))}
        />
        {product !== 'video' && (
          <SelectField
            label="Format"
            name="format"
            value={format}
            options={DOWNLOAD_FORMATS}
            onChange={(chosen) => setChoice((current) => ({ ...current, format: chosen }))}
          />
        )}
      </div>
      <Field
        label="File names"
        name="names"
        autoComplete="off"
        value={namePattern}
        maxLength={200}
        onChange={({ currentTarget: { value } }) => setChoice((current) => ({ ...current, namePattern: value }))}
      >
        {'{name} {title} {artist} {album} {year} {preset} {rate} {speed} {pitch} {changes} {bpm} {number}'}
      </Field>
      <LoudnessField
        label="Loudness"
        targetLufs={targetLufs}
        onChange={(chosen) => setChoice((current) => ({ ...current, loudness: { targetLufs: chosen } }))}
      />
      {product === 'sound' ? (
        renderActions(songs.length > 0, undefined)
      ) : (
        <BatchVideoFields
          engine={engine}
          choice={videoChoice}
          onChange={(video) => setChoice((current) => ({ ...current, video }))}
          songName={songs[0]?.file.name ?? ''}
        >
          {(video) => renderActions(songs.length > 0 && video !== undefined, video && { ...video, isBesideSound: product === 'both' })}
        </BatchVideoFields>
      )}
    </>
  )
}

const isSameSong = (a: BatchInput, b: BatchInput) =>
  a.folderPath === b.folderPath && a.file.name === b.file.name && a.file.size === b.file.size && a.file.lastModified === b.file.lastModified

const sumFileBytes = (songs: readonly BatchInput[]) => songs.reduce((sum, { file }) => sum + file.size, 0)

function describeSettings({ speed, pitch, reverbAmount, reverbSize, bassDb }: MakerSettings): string {
  const formatChange = (value: number, decimals: number) => `${value > 0 ? '+' : ''}${formatDecimals(value, 0, decimals)}`
  return [
    `speed ${formatDecimals(speed, 0, SPEED_DECIMALS)}`,
    `pitch ${formatChange(pitch, PITCH_DECIMALS)}`,
    ...(reverbAmount > 0 ? [`reverb ${reverbAmount} %, size ${reverbSize} %`] : []),
    ...(bassDb !== 0 ? [`bass ${formatChange(bassDb, 1)} dB`] : []),
  ].join(', ')
}

interface FilePickerProps {
  label: string
  /** Whether the person picks a folder instead of files. */
  isFolderPicker?: boolean
  onFiles: (files: readonly File[]) => void
}

/** Renders a button that opens the device's file dialog for several files, or for a folder. */
export function FilePicker({ label, isFolderPicker: isFolder = false, onFiles }: FilePickerProps) {
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
          const chosenFiles = [...(event.currentTarget.files ?? [])]
          // The input is cleared, so that choosing the same files again fires a change event.
          event.currentTarget.value = ''
          if (chosenFiles.length > 0) onFiles(chosenFiles)
        }}
      />
    </>
  )
}
