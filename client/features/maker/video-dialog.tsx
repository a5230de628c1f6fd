import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { songNameFromFileName } from '../../../contract/file-name.ts'
import { startTimeout } from '../../primitives/scope.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { CheckboxField, SelectField } from '../../ui/form-controls.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ErrorState } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
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
import { readVideoStyle } from './video-style.ts'
import { songTitle, videoTexts } from './video-texts.ts'

const SIZES = [
  { value: '1920x1080', label: '1920 × 1080, wide' },
  { value: '2560x1440', label: '2560 × 1440, wide' },
  { value: '1080x1080', label: '1080 × 1080, square' },
  { value: '1080x1920', label: '1080 × 1920, upright' },
] as const
const MOTIONS = [
  { value: 'still', label: 'Still' },
  { value: 'glide', label: 'Slow glide' },
] as const
const OVERLAYS = [
  { value: 'none', label: 'Nothing' },
  { value: 'wave', label: 'Waveform' },
  { value: 'ring', label: 'Spectrum ring' },
] as const
const SOUNDS = [
  { value: 'compressed', label: 'AAC, plays everywhere' },
  { value: 'lossless', label: 'Lossless, for an upload' },
] as const
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
  return (
    <Dialog open={open} onClose={onClose} title="Download as video" shape="wide">
      {studio === 'failed' ? (
        <ErrorState title="A part of the page did not arrive." />
      ) : studio !== 'opening' && state.sound ? (
        <Designer engine={engine} state={state} sound={state.sound} studio={studio} onOutcome={onOutcome} />
      ) : (
        <div className={styles.preview} aria-busy="true" />
      )}
    </Dialog>
  )
}

interface DesignerProps extends Pick<VideoDialogProps, 'engine' | 'state' | 'onOutcome'> {
  sound: LoadedSound
  studio: VideoStudio
}

function Designer({ engine, state, sound, studio, onOutcome }: DesignerProps) {
  const [sizeName, setSizeName] = useState<(typeof SIZES)[number]['value']>('1920x1080')
  const [motion, setMotion] = useState<VideoDesign['motion']>('still')
  const [overlay, setOverlay] = useState<VideoDesign['overlay']>('none')
  const [soundChoice, setSoundChoice] = useState<VideoDesign['sound']>('compressed')
  const [hasText, setHasText] = useState(true)
  const [title, setTitle] = useState(songTitle({ ...sound, ...state.output.tags }))
  const [artist, setArtist] = useState(state.output.tags.artist ?? '')
  const [isRefused, setIsRefused] = useState(false)
  const [isDone, setIsDone] = useState(false)
  const style = useMemo(readVideoStyle, [])
  const [width = 1920, height = 1080] = sizeName.split('x').map(Number)
  const size = { width, height }
  const { pictures, chosen, choose, addOwn } = useVideoPictures(studio, size, sound.name)
  const format = useVideoFormat(studio, size, soundChoice)
  const exporter = useVideoExport(engine)
  const picture = pictures[chosen]
  const text = hasText ? { title, artist } : { title: '', artist: '' }
  const design: VideoDesign | undefined = picture && { ...size, ...text, picture: picture.blob, motion, overlay, sound: soundChoice, style }
  const isRunning = state.runningExport?.format === 'video'

  const takeFile = async (file: Blob) => setIsRefused(!(await addOwn(file)))
  usePictureDrop((file) => void takeFile(file))

  const make = async (start: typeof exporter.download) => {
    if (design === undefined || typeof format !== 'object') return
    setIsDone(false)
    const outcome = await start(design, format)
    setIsDone(outcome?.kind === 'exported')
    onOutcome(outcome)
  }
  return (
    <div className={styles.designer}>
      <Preview studio={studio} design={design} picture={picture} />
      <div className={styles.settings}>
        <PictureChoice pictures={pictures} chosen={chosen} onChoose={choose} onFile={(file) => void takeFile(file)} isRefused={isRefused} />
        <div className={styles.pair}>
          <SelectField label="Size" name="size" value={sizeName} options={SIZES} onChange={setSizeName} />
          {picture?.durationS ? (
            <p className={classNames(typeStyles.muted, styles.loops)}>Your clip plays in a loop, without its own sound.</p>
          ) : (
            <SelectField label="Picture" name="motion" value={motion} options={MOTIONS} onChange={setMotion} />
          )}
          <SelectField label="Over it" name="overlay" value={overlay} options={OVERLAYS} onChange={setOverlay} />
          <SelectField label="Sound" name="sound" value={soundChoice} options={SOUNDS} onChange={setSoundChoice} />
        </div>
        <CheckboxField name="text" isChecked onChange={setHasText}>
          Title and artist on the picture
        </CheckboxField>
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
        {isRunning ? (
          <Progress engine={engine} onCancel={exporter.cancel} />
        ) : (
          <>
            <Button
              variant="primary"
              size="big"
              icon="download"
              disabled={design === undefined || typeof format !== 'object' || state.runningExport !== undefined}
              onClick={() => void make(exporter.download)}
            >
              Make the video
            </Button>
            {exporter.saveTo && (
              <Button
                variant="tertiary"
                icon="file"
                disabled={design === undefined || typeof format !== 'object'}
                onClick={() => exporter.saveTo && void make(exporter.saveTo)}
              >
                Save to…
              </Button>
            )}
          </>
        )}
        <FormatNote format={format} />
      </div>
      {isDone && design && picture && (
        <Afterwards
          studio={studio}
          design={design}
          picture={picture}
          subject={{ title: title || songTitle(sound), artist, settings: state.settings, rate: state.rate }}
        />
      )}
    </div>
  )
}

/** Shows a frame of the video, in the aspect ratio of the video. */
function Preview({
  studio,
  design,
  picture,
}: {
  studio: VideoStudio
  design: VideoDesign | undefined
  picture: PreviewPicture | undefined
}) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const { width = 1920, height = 1080 } = design ?? {}
  // Paints the preview after every render of this component, because `design` is a new object each time.
  useEffect(() => {
    if (canvas.current && design && picture) studio.paintPreview(canvas.current, design, picture)
  })
  return (
    <div className={styles.preview} aria-busy={picture === undefined}>
      <canvas
        ref={canvas}
        className={styles.frame}
        style={{ aspectRatio: `${width} / ${height}` }}
        width={width}
        height={height}
        role="img"
        aria-label="Preview of the video"
      />
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
  const offered = (['cover', 'drawn', 'own'] as const).filter((kind) => pictures[kind])
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a default style and a legend.
    <div role="group" aria-label="Picture" className={styles.pictures}>
      {offered.map((kind) => (
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

/** Shows the format of the video before the video is rendered, and who cannot play it. */
function FormatNote({ format }: { format: ReturnType<typeof useVideoFormat> }) {
  return (
    <p className={classNames(typeStyles.muted, styles.note)} role="status">
      {format === 'checking'
        ? 'Finding out what this browser can make…'
        : format === undefined
          ? 'This browser cannot make videos. Please open this page in Chrome, Edge or Firefox.'
          : format.container === 'webm'
            ? 'This browser has no encoder for MP4, so the file is WebM (VP9 and Opus). Video platforms take it; some players and phones do not.'
            : format.container === 'mov'
              ? 'MOV with the sound as 24-bit PCM at 48 kHz, for platforms that compress it themselves. Made on this device. Nothing is uploaded.'
              : 'MP4 with H.264 and AAC at 384 kbit/s, made on this device. Nothing is uploaded.'}
    </p>
  )
}

/** The time left is estimated once this fraction of the video is rendered. */
const ESTIMATE_FROM = 0.04

function Progress({ engine, onCancel }: { engine: Engine; onCancel: () => void }) {
  const bar = useRef<HTMLProgressElement>(null)
  const words = useRef<HTMLSpanElement>(null)
  const startedAtMs = useRef(performance.now())
  const cancelButton = useRef<HTMLButtonElement>(null)
  useEffect(() => cancelButton.current?.focus({ preventScroll: true }), [])
  useMakerProgress(engine, ({ export: progress = 0 }) => {
    if (bar.current) bar.current.value = progress
    const leftS = ((performance.now() - startedAtMs.current) * (1 - progress)) / progress / 1000
    const left = progress < ESTIMATE_FROM ? '' : `, about ${formatSeconds(leftS)} left`
    if (words.current) words.current.textContent = `${Math.floor(progress * 100)} %${left}`
  })
  return (
    <div className={styles.progress}>
      <progress ref={bar} max={1} value={0} aria-label="Making the video" />
      <span ref={words} className={typeStyles.mono} />
      <Button ref={cancelButton} variant="tertiary" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}

function formatSeconds(seconds: number): string {
  const whole = Math.max(1, Math.ceil(seconds))
  return whole < 60 ? `${whole} s` : `${Math.ceil(whole / 60)} min`
}

/** Returns the file name of the thumbnail: the title, with the characters and the length that file names allow. */
const pictureFileName = (title: string) => `${songNameFromFileName(`${title}.jpg`)}.jpg`

interface AfterwardsProps {
  studio: VideoStudio
  design: VideoDesign
  picture: PreviewPicture
  subject: Omit<Parameters<typeof videoTexts>[0], 'originalLink'>
}

/** Renders what a video platform asks for when the video is uploaded: title, description and thumbnail. */
function Afterwards({ studio, design, picture, subject }: AfterwardsProps) {
  const [originalLink, setOriginalLink] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)
  const saveThumbnail = useSaveThumbnail(studio)
  const texts = videoTexts({ ...subject, originalLink: originalLink.trim() })
  useEffect(() => heading.current?.focus(), [])
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
