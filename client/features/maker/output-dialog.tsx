import { type InputHTMLAttributes, type Key, type Ref, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import typeStyles from '../../ui/type.module.css'
import { describePlatformEffect, formatLevel } from './level-texts.ts'
import { LoudnessField } from './loudness-field.tsx'
import styles from './output-dialog.module.css'
import { findPresetName, originalPreset } from './presets.ts'
import type { Engine, EngineState, LevelReport, LoadedSound, OutputTags } from './use-maker.ts'
import { useOwnPresets } from './use-own-presets.ts'
import { chooseSongTitle, describeSoundChange } from './video-texts.ts'

interface OutputDialogProps {
  open: boolean
  onClose: () => void
  engine: Engine
  state: EngineState
}

/** Changes the tags, the names and the level of the files that are made. */
export function OutputDialog({ open, onClose, engine, state }: OutputDialogProps) {
  const { sound } = state
  return (
    <Dialog open={open} onClose={onClose} title="Tags, name and level">
      {sound && (
        <div className={styles.sections}>
          <Tags engine={engine} state={state} sound={sound} />
          <LevelSettings engine={engine} state={state} />
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      )}
    </Dialog>
  )
}

interface FieldOptions extends Pick<InputHTMLAttributes<HTMLInputElement>, 'placeholder' | 'inputMode' | 'maxLength' | 'pattern'> {
  key?: Key
  ref?: Ref<HTMLInputElement>
}

function Tags({ engine, state, sound }: { engine: Engine; state: EngineState; sound: LoadedSound }) {
  const { tags, namePattern } = state.output
  /**
   * How often the button that adds the change to the song's title was pressed. Each press renders the uncontrolled fields anew with the new
   * title.
   */
  const [namingCount, setNamingCount] = useState(0)
  const titleField = useRef<HTMLInputElement>(null)
  // Moves the focus to the field that the button has changed, because the button is removed.
  useEffect(() => {
    if (namingCount > 0) titleField.current?.focus()
  }, [namingCount])
  const renderTagField = (tagName: keyof OutputTags, fieldLabel: string, { key, ...input }: FieldOptions = {}) => (
    <Field
      key={key}
      label={fieldLabel}
      name={tagName}
      autoComplete="off"
      maxLength={300}
      {...input}
      defaultValue={tags[tagName] ?? ''}
      onChange={({ currentTarget: { validity, value } }) => {
        if (validity.valid) engine.changeOutput({ tags: { ...tags, [tagName]: value.trim() } })
      }}
    />
  )
  const fileName = engine.estimate('wav-int16')?.fileName
  const soundChangeName = useSoundChangeName(state)
  const shownTitle = tags.title?.trim() || chooseSongTitle({ ...sound, title: undefined })
  const newTitle = `${shownTitle} (${soundChangeName})`
  const isSoundChangeInTitle = soundChangeName === '' || shownTitle.endsWith(`(${soundChangeName})`)
  return (
    <>
      <div className={styles.tags}>
        <CoverField engine={engine} sound={sound} />
        <div className={styles.fields}>
          {renderTagField('title', 'Title', {
            placeholder: chooseSongTitle({ ...sound, title: undefined }),
            key: namingCount,
            ref: titleField,
          })}
          {renderTagField('artist', 'Artist')}
          <div className={styles.pair}>
            {renderTagField('album', 'Album')}
            {renderTagField('year', 'Year', { inputMode: 'numeric', maxLength: 4, pattern: '\\d{4}' })}
          </div>
        </div>
      </div>
      <Field
        label="File name"
        name="pattern"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        key={`pattern ${namingCount}`}
        defaultValue={namePattern}
        placeholder="{name} ({changes})"
        onChange={(event) => engine.changeOutput({ namePattern: event.currentTarget.value })}
      >
        <span className={styles.example}>{fileName}</span> Filled in:{' '}
        {'{name} {title} {artist} {album} {year} {speed} {pitch} {rate} {changes}'}
      </Field>
      {!isSoundChangeInTitle && (
        <Button
          variant="secondary"
          onClick={() => {
            engine.changeOutput({ tags: { ...tags, title: newTitle }, namePattern: `{name} (${soundChangeName})` })
            setNamingCount(namingCount + 1)
          }}
        >
          Name it “{newTitle}”
        </Button>
      )}
    </>
  )
}

/**
 * Returns a description of the changes for use in titles: the name of the preset, or the effects of the settings. Empty for an unchanged
 * song.
 */
function useSoundChangeName({ settings, rate }: EngineState): string {
  const { presets } = useOwnPresets()
  const presetName = findPresetName(settings, presets)
  if (presetName !== undefined) return presetName === originalPreset.name ? '' : presetName
  const change = describeSoundChange({ settings, rate })
  return change.charAt(0).toUpperCase() + change.slice(1)
}

/** Shows the cover that exported files will have, and lets the person replace it. */
function CoverField({ engine, sound: { cover, hasChosenCover } }: { engine: Engine; sound: LoadedSound }) {
  const input = useRef<HTMLInputElement>(null)
  const changeButton = useRef<HTMLButtonElement>(null)
  const [isCoverUnreadable, setCoverUnreadable] = useState(false)
  const changeCover = async (picture: File | undefined) => setCoverUnreadable(!(await engine.changeCover(picture)))
  return (
    <div className={styles.coverField}>
      <Cover cover={cover} />
      <Button ref={changeButton} variant="tertiary" onClick={() => input.current?.click()}>
        {cover ? 'Change cover' : 'Add a cover'}
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label="Picture of the cover"
        onChange={({ currentTarget }) => {
          const [chosenFile] = currentTarget.files ?? []
          // The input is cleared, so that choosing the same file again fires a change event.
          currentTarget.value = ''
          if (chosenFile) void changeCover(chosenFile)
        }}
      />
      {hasChosenCover && (
        <Button
          variant="tertiary"
          onClick={() => {
            // The focus is moved first, because this button is removed.
            changeButton.current?.focus()
            void changeCover(undefined)
          }}
        >
          Undo the change
        </Button>
      )}
      <span role="status">{isCoverUnreadable && 'This picture cannot be read.'}</span>
    </div>
  )
}

/** The side of the shown cover in pixels: twice its size in CSS. */
const COVER_SIZE_PX = 192

/** Shows the cover that exported files will have. */
function Cover({ cover }: { cover: Blob | undefined }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [isCoverShown, setIsShown] = useState(false)
  useEffect(() => {
    let isCoverStale = false
    setIsShown(false)
    if (cover === undefined) return
    // The cover is drawn on a canvas, because the content security policy allows no `blob:` URLs of images.
    createImageBitmap(cover)
      .then((bitmap) => {
        if (!isCoverStale) {
          const coverScale = COVER_SIZE_PX / Math.min(bitmap.width, bitmap.height)
          const [width, height] = [bitmap.width * coverScale, bitmap.height * coverScale]
          canvas.current?.getContext('2d')?.drawImage(bitmap, (COVER_SIZE_PX - width) / 2, (COVER_SIZE_PX - height) / 2, width, height)
          setIsShown(true)
        }
        bitmap.close()
      })
      .catch(() => {})
    return () => {
      isCoverStale = true
    }
  }, [cover])
  return (
    <canvas
      ref={canvas}
      hidden={!isCoverShown}
      className={styles.cover}
      width={COVER_SIZE_PX}
      height={COVER_SIZE_PX}
      role="img"
      aria-label="Cover of the song"
    />
  )
}

/** Measures the level on request, because that renders the whole song, and lets the person choose a target loudness. */
function LevelSettings({ engine, state }: { engine: Engine; state: EngineState }) {
  const { settings, edits, output, sound } = state
  const headingId = useId()
  const progressBar = useRef<HTMLProgressElement>(null)
  const measurementController = useRef<AbortController>(undefined)
  const [levelReport, setLevelReport] = useState<LevelReport>()
  const [isMeasuringLevel, setIsMeasuring] = useState(false)
  const [hasMeasuringFailed, setHasFailed] = useState(false)
  // A measurement applies to one sound with its settings and target loudness.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them makes another finished sound.
  useEffect(() => {
    setLevelReport(undefined)
    return () => measurementController.current?.abort()
  }, [sound?.peaks, settings, edits, output.targetLufs])

  const measureLevel = async () => {
    const ownController = new AbortController()
    measurementController.current?.abort()
    measurementController.current = ownController
    setIsMeasuring(true)
    setHasFailed(false)
    const onProgress = (progress: number) => {
      if (progressBar.current) progressBar.current.value = progress
    }
    const newReport = await engine.measureLevel({ signal: ownController.signal, onProgress }).catch(() => undefined)
    if (measurementController.current !== ownController) return
    setIsMeasuring(false)
    setLevelReport(newReport)
    setHasFailed(newReport === undefined && !ownController.signal.aborted)
  }
  return (
    <section className={styles.level} aria-labelledby={headingId}>
      <h3 id={headingId} className={classNames(typeStyles.head, typeStyles.d1)}>
        Level
      </h3>
      <LoudnessField
        label="Loudness of the file"
        targetLufs={output.targetLufs}
        onChange={(targetLufs) => engine.changeOutput({ targetLufs })}
      >
        {output.targetLufs === undefined
          ? 'Nothing is changed, unless the file would clip.'
          : 'With a limiter, so that no peak is above −1 dBTP. The preview follows a moment after each change.'}
      </LoudnessField>
      <div className={styles.measuring}>
        <Button variant="secondary" disabled={isMeasuringLevel} onClick={() => void measureLevel()}>
          Measure the level
        </Button>
        {isMeasuringLevel && <progress ref={progressBar} max={1} value={0} aria-label="Measuring the level" />}
      </div>
      <div role="status">
        {hasMeasuringFailed && <p>The level could not be measured. Please try again.</p>}
        {levelReport && (
          <>
            <p>
              {levelReport.after ? 'Before: ' : ''}
              <span className={typeStyles.mono}>{formatLevel(levelReport.before)}</span>
            </p>
            {levelReport.after && (
              <p>
                After: <span className={typeStyles.mono}>{formatLevel(levelReport.after)}</span>
              </p>
            )}
            <p className={typeStyles.muted}>{describePlatformEffect(levelReport.after ?? levelReport.before)}</p>
          </>
        )}
      </div>
    </section>
  )
}
