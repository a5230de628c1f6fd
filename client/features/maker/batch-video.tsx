import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { toSongName } from '../../../contract/file-name.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/states.tsx'
import styles from './batch-dialog.module.css'
import type { BatchVideo, Engine, PreviewPicture, VideoPicture, VideoStudio } from './use-maker.ts'
import { useVideoFormat, useVideoStudio } from './use-video.ts'
import { DEFAULT_VIDEO, FormatNote, PreviewBox, type VideoChoice, VideoFields, VideoPreview } from './video-fields.tsx'
import { describeCover, readVideoStyle } from './video-style.ts'

/** The person's choices for the videos of a batch. */
export interface BatchVideoChoice extends VideoChoice {
  /** The picture of all videos; `undefined` for the cover of each song. */
  readonly picture: File | undefined
}

export const DEFAULT_BATCH_VIDEO: BatchVideoChoice = { ...DEFAULT_VIDEO, picture: undefined }

interface BatchVideoFieldsProps {
  engine: Engine
  choice: BatchVideoChoice
  onChange: (choice: BatchVideoChoice) => void
  /** The name of the song whose video is shown as an example; empty without songs. */
  songName: string
  /** Renders the content below the fields. The function receives `undefined` while no video can be made. */
  children: (video: Omit<BatchVideo, 'isBesideSound'> | undefined) => ReactNode
}

/** Renders an example of the videos of a batch, and the fields with which they are designed. */
export function BatchVideoFields({ engine, children, ...fieldProps }: BatchVideoFieldsProps) {
  const videoStudio = useVideoStudio(engine, true)
  if (videoStudio === 'failed') return <ErrorState title="A part of the page did not arrive." />
  if (videoStudio === 'opening')
    return (
      <>
        <PreviewBox shape={fieldProps.choice} isBusy />
        {children(undefined)}
      </>
    )
  return (
    <OpenedFields {...fieldProps} studio={videoStudio}>
      {children}
    </OpenedFields>
  )
}

function OpenedFields({ studio, choice, onChange, songName, children }: Omit<BatchVideoFieldsProps, 'engine'> & { studio: VideoStudio }) {
  const input = useRef<HTMLInputElement>(null)
  const style = useMemo(readVideoStyle, [])
  const { picture: chosenFile, hasText, ...pictureShape } = choice
  const { width, height } = pictureShape
  const drawnCover = useMemo(() => describeCover({ width, height }, songName), [width, height, songName])
  const shownPicture = chosenFile ?? drawnCover
  const picture = usePicture(studio, shownPicture)
  const format = useVideoFormat(studio, pictureShape, pictureShape.sound)
  const videoDesign = { ...pictureShape, style }
  const exampleDesign = {
    ...videoDesign,
    picture: shownPicture,
    title: hasText ? toSongName(songName) || 'Title' : '',
    artist: hasText ? 'Artist' : '',
  }
  const canStartVideo = typeof format === 'object' && picture !== undefined && picture !== 'undecodable'
  const previewPicture = picture === 'undecodable' ? undefined : picture
  return (
    <>
      <VideoPreview studio={studio} shape={choice} design={exampleDesign} picture={previewPicture} />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a default style and a legend. */}
      <div role="group" aria-label="Picture" className={styles.pickers}>
        <Button variant="tertiary" pressed={chosenFile === undefined} onClick={() => onChange({ ...choice, picture: undefined })}>
          Cover of each song
        </Button>
        <Button variant="tertiary" icon="file" pressed={chosenFile !== undefined} onClick={() => input.current?.click()}>
          One picture for all
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
            if (file) onChange({ ...choice, picture: file })
          }}
        />
        <p role="status" className={styles.note}>
          {picture === 'undecodable'
            ? 'This browser cannot show that file. Please choose a picture, a GIF or a clip.'
            : chosenFile
              ? chosenFile.name
              : 'Songs without a cover get a drawn one.'}
        </p>
      </div>
      <VideoFields choice={choice} onChange={onChange} isClipPicture={(previewPicture?.durationS ?? 0) > 0} />
      <FormatNote format={format} />
      {children(canStartVideo ? { design: videoDesign, hasText, picture: chosenFile, format } : undefined)}
    </>
  )
}

/**
 * Opens a picture for the preview; `undefined` until the picture is open. The picture is released when another one replaces it, and on
 * unmount.
 */
function usePicture(studio: VideoStudio, source: VideoPicture): PreviewPicture | 'undecodable' | undefined {
  const [previewPicture, setPicture] = useState<PreviewPicture | 'undecodable'>()
  useEffect(() => {
    let isPreviewStale = false
    let openedPicture: PreviewPicture | undefined
    setPicture(undefined)
    studio.openPicture(source).then(
      (previewResult) => {
        if (previewResult.kind === 'opened') openedPicture = previewResult.picture
        if (!isPreviewStale) setPicture(openedPicture ?? 'undecodable')
        else if (openedPicture) studio.closePicture(openedPicture)
      },
      () => !isPreviewStale && setPicture('undecodable'),
    )
    return () => {
      isPreviewStale = true
      if (openedPicture) studio.closePicture(openedPicture)
    }
  }, [studio, source])
  return previewPicture
}
