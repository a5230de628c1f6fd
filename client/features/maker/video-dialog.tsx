import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { toSongName } from '../../../contract/file-name.ts'
import { waitForNextTask } from '../../primitives/next-task.ts'
import { startTimeout } from '../../primitives/scope.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ErrorState } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import { CANCELLED_TEXT, describeExportFailure } from './messages.ts'
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
import { DEFAULT_VIDEO, FormatNote, PreviewBox, type VideoChoice, VideoFields, VideoPreview } from './video-fields.tsx'
import { readVideoStyle } from './video-style.ts'
import { chooseSongTitle, createVideoTexts } from './video-texts.ts'

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
  const videoStudio = useVideoStudio(engine, open)
  const [videoChoice, setChoice] = useState(DEFAULT_VIDEO)
  /** The name of the song whose video was finished last, possibly while the dialog was closed. */
  const [finishedSongName, setFinishedSongName] = useState<string>()
  return (
    <Dialog open={open} onClose={onClose} title="Download as video" shape="wide">
      {videoStudio === 'failed' ? (
        <ErrorState title="A part of the page did not arrive." />
      ) : videoStudio !== 'opening' && state.sound ? (
        <VideoDesigner
          engine={engine}
          state={state}
          sound={state.sound}
          studio={videoStudio}
          choice={videoChoice}
          onChoice={setChoice}
          isVideoMade={finishedSongName === state.sound.name}
          onDone={setFinishedSongName}
          onOutcome={onOutcome}
        />
      ) : (
        <PreviewBox shape={videoChoice} isBusy />
      )}
    </Dialog>
  )
}

interface VideoDesignerProps extends Pick<VideoDialogProps, 'engine' | 'state' | 'onOutcome'> {
  sound: LoadedSound
  studio: VideoStudio
  choice: VideoChoice
  onChoice: (choice: VideoChoice) => void
  /** Whether a video of the song was made. */
  isVideoMade: boolean
  /** Called with the name of the song when its video is made, and with `undefined` when another video begins. */
  onDone: (songName: string | undefined) => void
}

function VideoDesigner({ engine, state, sound, studio, choice, onChoice, isVideoMade, onDone, onOutcome }: VideoDesignerProps) {
  const [titleText, setTitle] = useState(chooseSongTitle({ ...sound, ...state.output.tags }))
  const [artistText, setArtist] = useState(state.output.tags.artist ?? '')
  const [isPictureRefused, setIsPictureRefused] = useState(false)
  const [outcomeText, setOutcomeText] = useState('')
  const [wasVideoMadeHere, setWasMadeHere] = useState(false)
  const makeButton = useRef<HTMLButtonElement>(null)
  const isExportStarting = useRef(false)
  const videoStyle = useMemo(readVideoStyle, [])
  const { pictures, chosen, choose, addOwnPicture } = useVideoPictures(studio, choice, sound)
  const format = useVideoFormat(studio, choice, choice.sound)
  const videoExport = useVideoExport(engine)
  const chosenPicture = pictures[chosen]
  const videoDesign = useMemo<VideoDesign | undefined>(() => {
    const { hasText, ...shape } = choice
    const text = hasText ? { title: titleText, artist: artistText } : { title: '', artist: '' }
    return chosenPicture && { ...shape, ...text, picture: chosenPicture.source, style: videoStyle }
  }, [choice, titleText, artistText, chosenPicture, videoStyle])
  const queuedVideo = [state.runningExport, ...state.waitingExports].find((each) => each?.format === 'video')
  const isVideoRunning = queuedVideo !== undefined
  const canMakeVideo = videoDesign !== undefined && typeof format === 'object'

  const addPictureFile = async (file: Blob) => setIsPictureRefused(!(await addOwnPicture(file)))
  usePictureDrop((file) => void addPictureFile(file))

  const makeVideo = async (startExport: typeof videoExport.download) => {
    if (videoDesign === undefined || typeof format !== 'object' || isExportStarting.current) return
    onDone(undefined)
    setOutcomeText('')
    // The video starts in a task of its own, because its start renders the whole editor.
    isExportStarting.current = true
    await waitForNextTask()
    isExportStarting.current = false
    const exportOutcome = await startExport(videoDesign, format)
    setWasMadeHere(exportOutcome?.kind === 'exported')
    if (exportOutcome?.kind === 'exported') onDone(sound.name)
    else if (exportOutcome !== undefined) setOutcomeText(describeExportFailure(exportOutcome) ?? CANCELLED_TEXT)
    onOutcome(exportOutcome)
  }
  // Moves the focus back to the button that began the video, because Cancel is removed when the video fails or is cancelled.
  useLayoutEffect(() => {
    if (outcomeText !== '' && !isVideoRunning && document.activeElement === document.body)
      makeButton.current?.focus({ preventScroll: true })
  }, [outcomeText, isVideoRunning])
  return (
    <div className={styles.designer}>
      <VideoPreview studio={studio} shape={choice} design={videoDesign} picture={chosenPicture} />
      <div className={styles.settings}>
        <PictureChoice
          pictures={pictures}
          chosen={chosen}
          onChoose={choose}
          onFile={(file) => void addPictureFile(file)}
          isRefused={isPictureRefused}
        />
        <VideoFields choice={choice} onChange={onChoice} isClipPicture={(chosenPicture?.durationS ?? 0) > 0} />
        <div className={styles.pair}>
          <Field
            label="Title"
            name="title"
            autoComplete="off"
            defaultValue={titleText}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <Field
            label="Artist"
            name="artist"
            autoComplete="off"
            defaultValue={artistText}
            onChange={(event) => setArtist(event.currentTarget.value)}
          />
        </div>
      </div>
      <div className={styles.actions}>
        {queuedVideo ? (
          <VideoProgress
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
              disabled={!canMakeVideo}
              onClick={() => void makeVideo(videoExport.download)}
            >
              Make the video
            </Button>
            {videoExport.saveTo && (
              <Button
                variant="tertiary"
                icon="file"
                disabled={!canMakeVideo}
                onClick={() => videoExport.saveTo && void makeVideo(videoExport.saveTo)}
              >
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
      {isVideoMade && videoDesign && chosenPicture && (
        <UploadMaterial
          studio={studio}
          design={videoDesign}
          picture={chosenPicture}
          takesFocus={wasVideoMadeHere}
          videoSubject={{ title: titleText || chooseSongTitle(sound), artist: artistText, settings: state.settings, rate: state.rate }}
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
  const offeredPictureKinds = (['cover', 'drawn', 'own'] as const).filter((kind) => pictures[kind])
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a default style and a legend.
    <div role="group" aria-label="Picture" className={styles.pictures}>
      {offeredPictureKinds.map((kind) => (
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

interface VideoProgressProps {
  engine: Engine
  /** Whether another file is made before the video. */
  isWaiting: boolean
  onCancel: () => void
}

function VideoProgress({ engine, isWaiting, onCancel }: VideoProgressProps) {
  const barElement = useRef<HTMLProgressElement>(null)
  const progressTextElement = useRef<HTMLSpanElement>(null)
  const announcementElement = useRef<HTMLSpanElement>(null)
  const [progressText] = useState(createProgressText)
  const cancelButton = useRef<HTMLButtonElement>(null)
  useEffect(() => cancelButton.current?.focus({ preventScroll: true }), [])
  useMakerProgress(engine, ({ exportProgress = 0 }) => {
    if (isWaiting) return
    if (barElement.current) barElement.current.value = exportProgress
    if (progressTextElement.current) progressTextElement.current.textContent = progressText(exportProgress, performance.now())
    const quarterPercent = Math.floor(exportProgress * 4) * 25
    const text = quarterPercent > 0 ? `Making the video: ${quarterPercent} percent` : ''
    if (announcementElement.current && announcementElement.current.textContent !== text) announcementElement.current.textContent = text
  })
  return (
    <div className={styles.progress}>
      <progress ref={barElement} max={1} value={0} aria-label="Making the video" />
      <span ref={progressTextElement} className={typeStyles.mono}>
        {isWaiting && 'Waits for the file before it'}
      </span>
      <span ref={announcementElement} role="status" className={typeStyles.hidden} />
      <Button ref={cancelButton} variant="tertiary" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}

/** Returns the file name of the thumbnail: the title, with the characters and the length that file names allow. */
const createPictureFileName = (title: string) => `${toSongName(`${title}.jpg`)}.jpg`

interface UploadMaterialProps {
  studio: VideoStudio
  design: VideoDesign
  picture: PreviewPicture
  /** Whether the heading receives the focus. It does not if the dialog was opened after the video was finished. */
  takesFocus: boolean
  videoSubject: Omit<Parameters<typeof createVideoTexts>[0], 'originalLink'>
}

/** Renders the texts and the picture that a video platform requires for an upload: title, description and thumbnail. */
function UploadMaterial({ studio, design, picture, takesFocus, videoSubject }: UploadMaterialProps) {
  const [originalLink, setOriginalLink] = useState('')
  const headingElement = useRef<HTMLHeadingElement>(null)
  const saveThumbnail = useSaveThumbnail(studio)
  const videoTexts = createVideoTexts({ ...videoSubject, originalLink: originalLink.trim() })
  useEffect(() => {
    if (takesFocus) headingElement.current?.focus()
  }, [takesFocus])
  return (
    <section className={styles.afterwards} aria-label="For the upload">
      <h3 ref={headingElement} tabIndex={-1} className={classNames(typeStyles.head, typeStyles.d1)}>
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
      <CopyText label="Title" text={videoTexts.title} rows={1} />
      <CopyText label="Description" text={videoTexts.description} rows={5} />
      <div>
        <Button
          variant="secondary"
          icon="download"
          onClick={() => void saveThumbnail(design, picture, createPictureFileName(videoTexts.title))}
        >
          Save the thumbnail
        </Button>
        <span className={typeStyles.legend}> 1280 × 720</span>
      </div>
    </section>
  )
}

const COPIED_SHOWN_MS = 1500

/** A text with a button that copies it. If the browser does not allow copying, the button selects the text. */
function CopyText({ label, text, rows }: { label: string; text: string; rows: number }) {
  const textAreaId = useId()
  const textAreaElement = useRef<HTMLTextAreaElement>(null)
  const [isTextCopied, setIsCopied] = useState(false)
  useEffect(() => (isTextCopied ? startTimeout(() => setIsCopied(false), COPIED_SHOWN_MS) : undefined), [isTextCopied])
  const copyText = () =>
    navigator.clipboard.writeText(text).then(
      () => setIsCopied(true),
      () => textAreaElement.current?.select(),
    )
  return (
    <div className={styles.copy}>
      <label htmlFor={textAreaId}>{label}</label>
      <textarea
        ref={textAreaElement}
        id={textAreaId}
        readOnly
        value={text}
        rows={rows}
        className={styles.text}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button variant="tertiary" onClick={() => void copyText()}>
        <Icon name={isTextCopied ? 'check' : 'link'} />
        Copy {label.toLowerCase()}
        <span role="status" className={typeStyles.hidden}>
          {isTextCopied ? 'Copied' : ''}
        </span>
      </Button>
    </div>
  )
}
