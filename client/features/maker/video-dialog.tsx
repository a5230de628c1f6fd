import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { songNameFromFileName } from '../../../contract/file-name.ts'
import { nextTask } from '../../primitives/next-task.ts'
import { startTimeout } from '../../primitives/scope.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ErrorState } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import { CANCELLED_TEXT, exportFailureText } from './messages.ts'
import { createProgressText } from './progress-text.ts'
import {
  type Engine,
  type EngineState,
  type LoadedSound,
  type PreviewPicture,
  useMakerProgress,
  type VideoDesign,
  type VideoStudio,
} from './use-maker.ts'
import type { ExportOutcome } from './use-maker-export.ts'
import {
  type PictureKind,
  usePictureDrop,
  useSaveThumbnail,
  useVideoExport,
  useVideoFormat,
  useVideoPictures,
  useVideoStudio,
} from './use-video.ts'
import styles from './video-dialog.module.css'
import { DEFAULT_VIDEO, FormatNote, Preview, type VideoChoice, VideoFields } from './video-fields.tsx'
import { readVideoStyle } from './video-style.ts'
import { songTitle, videoTexts } from './video-texts.ts'

const PICTURE_NAMES: Record<PictureKind, string> = { cover: 'Cover of the song', drawn: 'Drawn cover', own: 'Your picture' }

interface VideoDialogProps {
  open: boolean
  onClose: () => void
  engine: Engine
  state: EngineState
  onOutcome: (outcome: ExportOutcome) => void
}

/** Renders the dialog in which a video of the loaded song is designed and rendered. */
export function VideoDialog({ open, onClose, engine, state, onOutcome }: VideoDialogProps) {
  const studio = useVideoStudio(engine, open)
  const [choice, setChoice] = useState(DEFAULT_VIDEO)
  /** The name of the song whose video was finished last, possibly while the dialog was closed. */
  const [doneSong, setDoneSong] = useState<string>()
  return (
    <Dialog open={open} onClose={onClose} title="Download as video" shape="wide">
      {studio === 'failed' ? (
        <ErrorState title="A part of the page did not arrive." />
      ) : studio !== 'opening' && state.sound ? (
        <Designer
          engine={engine}
          state={state}
          sound={state.sound}
          studio={studio}
          choice={choice}
          onChoice={setChoice}
          isDone={doneSong === state.sound.name}
          onDone={setDoneSong}
          onOutcome={onOutcome}
        />
      ) : (
        <div className={styles.preview} aria-busy="true" />
      )}
    </Dialog>
  )
}

interface DesignerProps extends Pick<VideoDialogProps, 'engine' | 'state' | 'onOutcome'> {
  sound: LoadedSound
  studio: VideoStudio
  choice: VideoChoice
  onChoice: (choice: VideoChoice) => void
  /** Whether a video of the song was made. */
  isDone: boolean
  /** Called with the name of the song when its video is made, and with `undefined` when another video begins. */
  onDone: (songName: string | undefined) => void
}

function Designer({ engine, state, sound, studio, choice, onChoice, isDone, onDone, onOutcome }: DesignerProps) {
  const [title, setTitle] = useState(songTitle({ ...sound, ...state.output.tags }))
  const [artist, setArtist] = useState(state.output.tags.artist ?? '')
  const [isRefused, setIsRefused] = useState(false)
  const [outcomeText, setOutcomeText] = useState('')
  const [wasMadeHere, setWasMadeHere] = useState(false)
  const makeButton = useRef<HTMLButtonElement>(null)
  const isStarting = useRef(false)
  const style = useMemo(readVideoStyle, [])
  const { pictures, chosen, choose, addOwn } = useVideoPictures(studio, choice, sound)
  const format = useVideoFormat(studio, choice, choice.sound)
  const exporter = useVideoExport(engine)
  const picture = pictures[chosen]
  const design = useMemo<VideoDesign | undefined>(() => {
    const { hasText, ...shape } = choice
    const text = hasText ? { title, artist } : { title: '', artist: '' }
    return picture && { ...shape, ...text, picture: picture.source, style }
  }, [choice, title, artist, picture, style])
  const queuedVideo = [state.runningExport, ...state.waitingExports].find((each) => each?.format === 'video')
  const isRunning = queuedVideo !== undefined
  const canMake = design !== undefined && typeof format === 'object'

  const takeFile = async (file: Blob) => setIsRefused(!(await addOwn(file)))
  usePictureDrop((file) => void takeFile(file))

  const make = async (start: typeof exporter.download) => {
    if (design === undefined || typeof format !== 'object' || isStarting.current) return
    onDone(undefined)
    setOutcomeText('')
    // The video starts in a task of its own, because its start renders the whole editor.
    isStarting.current = true
    await nextTask()
    isStarting.current = false
    const outcome = await start(design, format)
    setWasMadeHere(outcome?.kind === 'exported')
    if (outcome?.kind === 'exported') onDone(sound.name)
    else if (outcome !== undefined) setOutcomeText(exportFailureText(outcome) ?? CANCELLED_TEXT)
    onOutcome(outcome)
  }
  // Moves the focus back to the button that began the video, because Cancel is removed when the video fails or is cancelled.
  useLayoutEffect(() => {
    if (outcomeText !== '' && !isRunning && document.activeElement === document.body) makeButton.current?.focus({ preventScroll: true })
  }, [outcomeText, isRunning])
  return (
    <div className={styles.designer}>
      <Preview studio={studio} design={design} picture={picture} />
      <div className={styles.settings}>
        <PictureChoice pictures={pictures} chosen={chosen} onChoose={choose} onFile={(file) => void takeFile(file)} isRefused={isRefused} />
        <VideoFields choice={choice} onChange={onChoice} isClip={(picture?.durationS ?? 0) > 0} />
        <div className={styles.pair}>
          <Field
            label="Title"
            name="title"
            autoComplete="off"
            defaultValue={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <Field
            label="Artist"
            name="artist"
            autoComplete="off"
            defaultValue={artist}
            onChange={(event) => setArtist(event.currentTarget.value)}
          />
        </div>
      </div>
      <div className={styles.actions}>
        {queuedVideo ? (
          <Progress
            key={String(queuedVideo === state.runningExport)}
            engine={engine}
            isWaiting={queuedVideo !== state.runningExport}
            onCancel={queuedVideo.cancel}
          />
        ) : (
          <>
            <Button
              variant="primary"
              size="big"
              icon="download"
              ref={makeButton}
              disabled={!canMake}
              onClick={() => void make(exporter.download)}
            >
              Make the video
            </Button>
            {exporter.saveTo && (
              <Button variant="tertiary" icon="file" disabled={!canMake} onClick={() => exporter.saveTo && void make(exporter.saveTo)}>
                Save to…
              </Button>
            )}
          </>
        )}
        <FormatNote format={format} />
        {/* The message is repeated inside the dialog, because screen readers do not read toasts outside of an open dialog. */}
        <p role="status" className={typeStyles.hidden}>
          {outcomeText}
        </p>
      </div>
      {isDone && design && picture && (
        <Afterwards
          studio={studio}
          design={design}
          picture={picture}
          takesFocus={wasMadeHere}
          subject={{ title: title || songTitle(sound), artist, settings: state.settings, rate: state.rate }}
        />
      )}
    </div>
  )
}

interface PictureChoiceProps {
  pictures: Partial<Record<PictureKind, PreviewPicture>>
  chosen: PictureKind
  onChoose: (kind: PictureKind) => void
  onFile: (file: File) => void
  isRefused: boolean
}

/** Renders a button for each picture that can be chosen, and one that opens the device's file dialog. */
function PictureChoice({ pictures, chosen, onChoose, onFile, isRefused }: PictureChoiceProps) {
  const input = useRef<HTMLInputElement>(null)
  const offeredKinds = (['cover', 'drawn', 'own'] as const).filter((kind) => pictures[kind])
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a default style and a legend.
    <div role="group" aria-label="Picture" className={styles.pictures}>
      {offeredKinds.map((kind) => (
        <Button key={kind} variant="tertiary" pressed={kind === chosen} onClick={() => onChoose(kind)}>
          {PICTURE_NAMES[kind]}
        </Button>
      ))}
      <Button variant="tertiary" icon="file" onClick={() => input.current?.click()}>
        Choose a picture
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/*,video/*"
        hidden
        aria-label="Picture file"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          event.currentTarget.value = ''
          if (file) onFile(file)
        }}
      />
      <p className={classNames(typeStyles.muted, styles.hint)} role="status">
        {isRefused
          ? 'This browser cannot show that file. Please choose a picture, a GIF or a clip.'
          : 'Or drop or paste a picture, a GIF or a clip.'}
      </p>
    </div>
  )
}

interface ProgressProps {
  engine: Engine
  /** Whether another file is made before the video. */
  isWaiting: boolean
  onCancel: () => void
}

function Progress({ engine, isWaiting, onCancel }: ProgressProps) {
  const bar = useRef<HTMLProgressElement>(null)
  const words = useRef<HTMLSpanElement>(null)
  const announcement = useRef<HTMLSpanElement>(null)
  const [progressText] = useState(createProgressText)
  const cancelButton = useRef<HTMLButtonElement>(null)
  useEffect(() => cancelButton.current?.focus({ preventScroll: true }), [])
  useMakerProgress(engine, ({ exportProgress: progress = 0 }) => {
    if (isWaiting) return
    if (bar.current) bar.current.value = progress
    if (words.current) words.current.textContent = progressText(progress, performance.now())
    const quarterPercent = Math.floor(progress * 4) * 25
    const text = quarterPercent > 0 ? `Making the video: ${quarterPercent} percent` : ''
    if (announcement.current && announcement.current.textContent !== text) announcement.current.textContent = text
  })
  return (
    <div className={styles.progress}>
      <progress ref={bar} max={1} value={0} aria-label="Making the video" />
      <span ref={words} className={typeStyles.mono}>
        {isWaiting && 'Waits for the file before it'}
      </span>
      <span ref={announcement} role="status" className={typeStyles.hidden} />
      <Button ref={cancelButton} variant="tertiary" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}

/** Returns the file name of the thumbnail: the title, with the characters and the length that file names allow. */
const pictureFileName = (title: string) => `${songNameFromFileName(`${title}.jpg`)}.jpg`

interface AfterwardsProps {
  studio: VideoStudio
  design: VideoDesign
  picture: PreviewPicture
  /** Whether the heading receives the focus. It does not if the dialog was opened after the video was finished. */
  takesFocus: boolean
  subject: Omit<Parameters<typeof videoTexts>[0], 'originalLink'>
}

/** Renders the texts and the picture that a video platform requires for an upload: title, description and thumbnail. */
function Afterwards({ studio, design, picture, takesFocus, subject }: AfterwardsProps) {
  const [originalLink, setOriginalLink] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)
  const saveThumbnail = useSaveThumbnail(studio)
  const texts = videoTexts({ ...subject, originalLink: originalLink.trim() })
  useEffect(() => {
    if (takesFocus) heading.current?.focus()
  }, [takesFocus])
  return (
    <section className={styles.afterwards} aria-label="For the upload">
      <h3 ref={heading} tabIndex={-1} className={classNames(typeStyles.head, typeStyles.d1)}>
        For the upload
      </h3>
      <Field
        label="Link to the original"
        name="original"
        type="url"
        autoComplete="off"
        value={originalLink}
        onChange={(event) => setOriginalLink(event.currentTarget.value)}
      />
      <CopyText label="Title" text={texts.title} rows={1} />
      <CopyText label="Description" text={texts.description} rows={5} />
      <div>
        <Button variant="secondary" icon="download" onClick={() => void saveThumbnail(design, picture, pictureFileName(texts.title))}>
          Save the thumbnail
        </Button>
        <span className={typeStyles.legend}> 1280 × 720</span>
      </div>
    </section>
  )
}

const COPIED_MS = 1500

/** A text with a button that copies it. If the browser does not allow copying, the button selects the text. */
function CopyText({ label, text, rows }: { label: string; text: string; rows: number }) {
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => (isCopied ? startTimeout(() => setIsCopied(false), COPIED_MS) : undefined), [isCopied])
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setIsCopied(true),
      () => area.current?.select(),
    )
  return (
    <div className={styles.copy}>
      <label htmlFor={id}>{label}</label>
      <textarea
        ref={area}
        id={id}
        readOnly
        value={text}
        rows={rows}
        className={styles.text}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button variant="tertiary" onClick={() => void copy()}>
        <Icon name={isCopied ? 'check' : 'link'} />
        Copy {label.toLowerCase()}
        <span role="status" className={typeStyles.hidden}>
          {isCopied ? 'Copied' : ''}
        </span>
      </Button>
    </div>
  )
}
