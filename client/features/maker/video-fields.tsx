import { type CSSProperties, type ReactNode, useEffect, useRef } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { CheckboxField, SelectField } from '../../ui/form-controls.tsx'
import typeStyles from '../../ui/type.module.css'
import type { PreviewPicture, VideoDesign, VideoStudio } from './use-maker.ts'
import type { useVideoFormat } from './use-video.ts'
import styles from './video-dialog.module.css'

const VIDEO_SIZE_OPTIONS = [
  { value: '1920x1080', label: '1920 × 1080, wide', width: 1920, height: 1080 },
  { value: '2560x1440', label: '2560 × 1440, wide', width: 2560, height: 1440 },
  { value: '1080x1080', label: '1080 × 1080, square', width: 1080, height: 1080 },
  { value: '1080x1920', label: '1080 × 1920, upright', width: 1080, height: 1920 },
] as const
const VIDEO_MOTION_OPTIONS = [
  { value: 'still', label: 'Still' },
  { value: 'glide', label: 'Slow glide' },
] as const
const VIDEO_OVERLAY_OPTIONS = [
  { value: 'none', label: 'Nothing' },
  { value: 'wave', label: 'Waveform' },
  { value: 'ring', label: 'Spectrum ring' },
] as const
const VIDEO_SOUND_OPTIONS = [
  { value: 'compressed', label: 'AAC, plays everywhere' },
  { value: 'lossless', label: 'Lossless, for an upload' },
] as const

/** The person's choices in the fields of a video. */
export interface VideoChoice extends Pick<VideoDesign, 'width' | 'height' | 'motion' | 'overlay' | 'sound'> {
  /** Whether title and artist are on the picture. */
  readonly hasText: boolean
}

export const DEFAULT_VIDEO: VideoChoice = {
  width: 1920,
  height: 1080,
  motion: 'still',
  overlay: 'none',
  sound: 'compressed',
  hasText: true,
}

interface VideoFieldsProps<Choice extends VideoChoice> {
  choice: Choice
  onChange: (choice: Choice) => void
  /** Whether the picture is a clip or an animation. */
  isClipPicture: boolean
}

/** Renders the fields of a video, without its picture and its texts. */
export function VideoFields<Choice extends VideoChoice>({ choice, onChange, isClipPicture: isClip }: VideoFieldsProps<Choice>) {
  const { width, height, motion, overlay, sound, hasText } = choice
  const videoSize = VIDEO_SIZE_OPTIONS.find((each) => each.width === width && each.height === height) ?? VIDEO_SIZE_OPTIONS[0]
  return (
    <>
      <div className={styles.pair}>
        <SelectField
          label="Size"
          name="size"
          value={videoSize.value}
          options={VIDEO_SIZE_OPTIONS}
          onChange={(value) => {
            const chosen = VIDEO_SIZE_OPTIONS.find((each) => each.value === value) ?? VIDEO_SIZE_OPTIONS[0]
            onChange({ ...choice, width: chosen.width, height: chosen.height })
          }}
        />
        {isClip ? (
          <p className={classNames(typeStyles.muted, styles.loops)}>Your clip plays in a loop, without its own sound.</p>
        ) : (
          <SelectField
            label="Picture"
            name="motion"
            value={motion}
            options={VIDEO_MOTION_OPTIONS}
            onChange={(value) => onChange({ ...choice, motion: value })}
          />
        )}
        <SelectField
          label="Over it"
          name="overlay"
          value={overlay}
          options={VIDEO_OVERLAY_OPTIONS}
          onChange={(value) => onChange({ ...choice, overlay: value })}
        />
        <SelectField
          label="Sound"
          name="sound"
          value={sound}
          options={VIDEO_SOUND_OPTIONS}
          onChange={(value) => onChange({ ...choice, sound: value })}
        />
      </div>
      <CheckboxField name="text" isChecked={hasText} onChange={(isChecked) => onChange({ ...choice, hasText: isChecked })}>
        Title and artist on the picture
      </CheckboxField>
    </>
  )
}

/** The larger side of the preview in pixels. It is smaller than the video, because it is painted with every typed letter. */
const PREVIEW_SIDE_PX = 960

interface PreviewBoxProps {
  shape: Pick<VideoDesign, 'width' | 'height'>
  isBusy: boolean
  children?: ReactNode
}

/** Renders the box of the preview, in the aspect ratio of the video. */
export function PreviewBox({ shape, isBusy, children }: PreviewBoxProps) {
  const style: CSSProperties & Record<`--${string}`, string> = { '--ratio': `${shape.width} / ${shape.height}` }
  return (
    <div className={styles.preview} style={style} aria-busy={isBusy}>
      {children}
    </div>
  )
}

interface VideoPreviewProps {
  studio: VideoStudio
  shape: PreviewBoxProps['shape']
  /** The video, in the size of `shape`; `undefined` until there is a picture. */
  design: VideoDesign | undefined
  picture: PreviewPicture | undefined
}

/** Shows a frame of the video. */
export function VideoPreview({ studio, shape, design, picture }: VideoPreviewProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const { width, height } = shape
  useEffect(() => {
    if (!design || !picture) return
    let isPictureStale = false
    const previewScale = Math.min(1, PREVIEW_SIDE_PX / Math.max(width, height))
    studio.paintPreview({ ...design, width: Math.round(width * previewScale), height: Math.round(height * previewScale) }, picture).then(
      (frame) => (isPictureStale ? frame.close() : canvas.current?.getContext('bitmaprenderer')?.transferFromImageBitmap(frame)),
      // The failure is ignored, because the video is made without a preview, too.
      () => {},
    )
    return () => {
      isPictureStale = true
    }
  }, [studio, design, picture, width, height])
  return (
    <PreviewBox shape={shape} isBusy={picture === undefined}>
      <canvas ref={canvas} className={styles.frame} width={width} height={height} role="img" aria-label="Preview of the video" />
    </PreviewBox>
  )
}

/** Shows, before the video is rendered, its format and which players cannot play this format. */
export function FormatNote({ format }: { format: ReturnType<typeof useVideoFormat> }) {
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
